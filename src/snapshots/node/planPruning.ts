import { UserError } from '../../base/errors.ts';
import type { RetentionPolicy } from '../common/retention.ts';
import type { Refusal } from '../common/select.ts';
import type { Catalogue, CataloguedSession } from '../../sessions/node/catalogue.ts';
import { openKeptProviders } from './keptProviders.ts';
import { notedWorkspaces } from './keptWorkspaces.ts';
import {
  mayUseMore,
  readSnapshotUses,
  sessionsByWorkspace,
  type SnapshotUses,
} from './snapshotUses.ts';
import { unclearRefs } from './unclearRefs.ts';
import { planWorkspace, type HeldRef, type Holding, type WorkspacePlan } from './workspacePlan.ts';

/** What pruning a workspace's snapshots would remove. Dispose of it. */
export interface PrunePlan extends WorkspacePlan {
  /** What they are needed for by now: sessions start and go on while others plan. */
  readonly usesNow: () => Promise<UsesNow>;
  dispose(): void;
}

export interface UsesNow extends SnapshotUses {
  readonly hasSessions: boolean;
  /** What looks unused may not be. */
  readonly mayBeMore: boolean;
}

interface FoundHolding extends Holding {
  readonly refusals: readonly Refusal[];
}

/** One plan for each workspace that has snapshots; `onSkip` is told of those that are out of reach. */
export async function planPruning(
  catalogue: Catalogue,
  policy: RetentionPolicy,
  onSkip: (workspace: string, error: unknown) => void,
  nowMs = Date.now(),
): Promise<PrunePlan[]> {
  const found: FoundHolding[] = [];
  for (const workspace of await knownWorkspaces(catalogue)) {
    try {
      found.push(await holdingOf(workspace));
    } catch (error) {
      onSkip(workspace, error);
    }
  }
  // Read after all was listed: what a session makes from now on is in no list, and so is never taken for garbage.
  const sessions = await sessionsByWorkspace(catalogue);
  const areSure = await Promise.all(
    found.map(async ({ workspace }) => !(await mayUseMore(workspace, sessions))),
  );
  // Those of all: a link may lead to another workspace by now, with a session that still means the former.
  const all = [...sessions.byWorkspace.values()].flat();
  const uses = await readSnapshotUses(all, policy, nowMs);
  const plans: PrunePlan[] = [];
  for (const [number, { refusals, ...holding }] of found.entries()) {
    const { workspace, providers } = holding;
    const dispose = () => providers.forEach((provider) => provider.dispose());
    const usesNow = () => readUsesNow(workspace, catalogue, policy, nowMs);
    const own = sessions.byWorkspace.get(workspace) ?? [];
    for (const reason of outOfReach(refusals, await readSnapshotUses(own, policy, nowMs)))
      onSkip(workspace, new UserError('no-provider', reason));
    try {
      const plan = await planWorkspace(holding, uses, policy, nowMs);
      const garbage = areSure[number] ? await withoutUnclear(plan.garbage, all) : [];
      plans.push({ ...plan, garbage, usesNow, dispose });
    } catch (error) {
      dispose();
      onSkip(workspace, error);
    }
  }
  return plans;
}

async function withoutUnclear(
  garbage: readonly HeldRef[],
  sessions: readonly CataloguedSession[],
): Promise<HeldRef[]> {
  const refs = garbage.map(({ ref }) => ref);
  const unclear = await unclearRefs(refs, sessions);
  return garbage.filter(({ ref }) => !unclear.has(ref));
}

/** Those of sessions, and those whose sessions are gone. */
async function knownWorkspaces(catalogue: Catalogue): Promise<Set<string>> {
  const { byWorkspace } = await sessionsByWorkspace(catalogue);
  return new Set([...byWorkspace.keys(), ...(await notedWorkspaces())]);
}

async function holdingOf(workspace: string): Promise<FoundHolding> {
  const { providers, refusals } = await openKeptProviders(workspace);
  try {
    const refs: HeldRef[] = [];
    for (const provider of providers)
      for (const ref of await provider.list()) refs.push({ ref, provider });
    return { workspace, providers, refs, refusals };
  } catch (error) {
    for (const provider of providers) provider.dispose();
    throw error;
  }
}

/** Why those cannot be looked at now who are said to keep something. */
function outOfReach(refusals: readonly Refusal[], { byRef }: SnapshotUses): string[] {
  const keepers = new Set([...byRef.values()].flat().map(({ provider }) => provider));
  return refusals.filter(({ name }) => keepers.has(name)).map(({ reason }) => reason);
}

async function readUsesNow(
  workspace: string,
  catalogue: Catalogue,
  policy: RetentionPolicy,
  nowMs: number,
): Promise<UsesNow> {
  const sessions = await sessionsByWorkspace(catalogue);
  const own = sessions.byWorkspace.get(workspace) ?? [];
  // Asked first: whoever has ended by then has said all, and it is read next.
  const mayBeMore = await mayUseMore(workspace, sessions);
  const uses = await readSnapshotUses(own, policy, nowMs);
  return { ...uses, mayBeMore, hasSessions: own.length > 0 };
}
