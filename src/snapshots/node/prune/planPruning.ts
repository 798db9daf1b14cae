import { UserError } from '../../../base/errors.ts';
import type { BranchOrigins } from '../../../branching/common/branchOrigins.ts';
import type { RetentionPolicy } from '../../common/retention.ts';
import type { Refusal } from '../../common/selectProvider.ts';
import type { Catalogue, CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { scrubUnfinished } from '../../../sessions/node/unfinishedScrubs.ts';
import { openExistingProviders } from '../open/openProviders.ts';
import { notedWorkspaces } from '../open/knownWorkspaces.ts';
import {
  mayHaveMoreUses,
  readSnapshotUses,
  sessionsByWorkspace,
  unfinishedScrubIn,
  type SnapshotUses,
} from './snapshotUses.ts';
import { unclearRefs } from './unclearRefs.ts';
import {
  planWorkspace,
  type ProviderRef,
  type StoredRefs,
  type WorkspacePlan,
} from './workspacePlan.ts';

/** What pruning would remove from a workspace. Dispose of it. */
export interface PrunePlan extends WorkspacePlan {
  /** Reads the uses again: sessions start and continue while pruning is planned. */
  readonly usesNow: () => Promise<UsesNow>;
  dispose(): void;
}

/** What decides which snapshots are in use. */
export interface PruneSources {
  readonly catalogue: Catalogue;
  readonly branches: BranchOrigins;
}

export interface UsesNow extends SnapshotUses {
  readonly hasSessions: boolean;
  /** Not all uses are known: a snapshot without a known use may be in use. */
  readonly isIncomplete: boolean;
}

interface FoundRefs extends StoredRefs {
  readonly refusals: readonly Refusal[];
}

/** Makes one plan per workspace with snapshots; calls `onSkip` for those that can't be read. */
export async function planPruning(
  sources: PruneSources,
  policy: RetentionPolicy,
  onSkip: (workspace: string, error: unknown) => void,
  nowMs = Date.now(),
): Promise<PrunePlan[]> {
  const { catalogue, branches } = sources;
  const found: FoundRefs[] = [];
  for (const workspace of await knownWorkspaces(catalogue)) {
    try {
      found.push(await openStoredRefs(workspace));
    } catch (error) {
      onSkip(workspace, error);
    }
  }
  // Read the sessions after listing the references: a snapshot that a session takes from now on is
  // not listed, so it never counts as garbage.
  const sessions = await sessionsByWorkspace(catalogue);
  const areUsesComplete = await Promise.all(
    found.map(async ({ workspace }) => !(await mayHaveMoreUses(workspace, sessions))),
  );
  // Read the uses of all sessions, not only of this workspace's: if the path of a session's
  // workspace contains a link that now leads elsewhere, the session still uses snapshots of its
  // former workspace.
  const all = [...sessions.byWorkspace.values()].flat();
  const uses = await readSnapshotUses(all, branches, policy, nowMs);
  const plans: PrunePlan[] = [];
  for (const [number, { refusals, ...stored }] of found.entries()) {
    const { workspace, providers } = stored;
    const dispose = () => providers.forEach((provider) => provider.dispose());
    const scrubbed = unfinishedScrubIn(workspace, sessions);
    if (scrubbed !== undefined) {
      dispose();
      onSkip(workspace, scrubUnfinished(scrubbed));
      continue;
    }
    const usesNow = () => readUsesNow(workspace, sources, policy, nowMs);
    const own = sessions.byWorkspace.get(workspace) ?? [];
    const ownUses = await readSnapshotUses(own, branches, policy, nowMs);
    for (const reason of unavailableProviders(refusals, ownUses))
      onSkip(workspace, new UserError('no-provider', reason));
    try {
      const plan = await planWorkspace(stored, uses, policy, nowMs);
      const garbage = areUsesComplete[number] ? await withoutUnclear(plan.garbage, all) : [];
      plans.push({ ...plan, garbage, usesNow, dispose });
    } catch (error) {
      dispose();
      onSkip(workspace, error);
    }
  }
  return plans;
}

async function withoutUnclear(
  garbage: readonly ProviderRef[],
  sessions: readonly CataloguedSession[],
): Promise<ProviderRef[]> {
  const refs = garbage.map(({ ref }) => ref);
  const unclear = await unclearRefs(refs, sessions);
  return garbage.filter(({ ref }) => !unclear.has(ref));
}

/** Workspaces of all sessions, and those whose sessions were deleted. */
async function knownWorkspaces(catalogue: Catalogue): Promise<Set<string>> {
  const { byWorkspace } = await sessionsByWorkspace(catalogue);
  return new Set([...byWorkspace.keys(), ...(await notedWorkspaces())]);
}

async function openStoredRefs(workspace: string): Promise<FoundRefs> {
  const { providers, refusals } = await openExistingProviders(workspace);
  try {
    const refs: ProviderRef[] = [];
    for (const provider of providers)
      for (const ref of await provider.list()) refs.push({ ref, provider });
    return { workspace, providers, refs, refusals };
  } catch (error) {
    for (const provider of providers) provider.dispose();
    throw error;
  }
}

/** Returns why providers that sessions refer to are not available now. */
function unavailableProviders(refusals: readonly Refusal[], { byRef }: SnapshotUses): string[] {
  const keepers = new Set([...byRef.values()].flat().map(({ provider }) => provider));
  return refusals.filter(({ name }) => keepers.has(name)).map(({ reason }) => reason);
}

async function readUsesNow(
  workspace: string,
  { catalogue, branches }: PruneSources,
  policy: RetentionPolicy,
  nowMs: number,
): Promise<UsesNow> {
  const sessions = await sessionsByWorkspace(catalogue);
  const own = sessions.byWorkspace.get(workspace) ?? [];
  // Check this before reading the uses: a session that has ended by now has written all its uses.
  const isIncomplete = await mayHaveMoreUses(workspace, sessions);
  const uses = await readSnapshotUses(own, branches, policy, nowMs);
  return { ...uses, isIncomplete, hasSessions: own.length > 0 };
}
