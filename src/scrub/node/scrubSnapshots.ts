import type { ProviderName, SnapshotProvider } from '../../snapshots/common/provider.ts';
import type { Catalogue, CataloguedSession } from '../../sessions/node/catalogue.ts';
import {
  openRewritingProviders,
  type OpenedProviders,
} from '../../snapshots/node/open/openProviders.ts';
import { readSnapshots } from '../../snapshots/node/list/snapshotsFile.ts';
import { isSamePlace } from '../../snapshots/node/open/workspacePlace.ts';
import type { ScrubChange } from './journal/scrubJournal.ts';
import { planVolumeScrub, verifyVolume, type SnapshotScrub } from './scrubVolume.ts';
import { withoutText } from './textForms.ts';

export interface PlannedSnapshots {
  readonly changes: readonly ScrubChange[];
  readonly rewrittenSnapshots: number;
  readonly removedSnapshots: number;
  /** Sentences about places that may still have the text. */
  readonly problems: readonly string[];
}

/** Plans to rewrite or delete the snapshots of a workspace with a text; writes new versions. */
export async function planSnapshotScrub(
  workspace: string,
  scrub: SnapshotScrub,
  catalogue: Catalogue,
): Promise<PlannedSnapshots> {
  const sessions = await catalogue.list();
  const changes: ScrubChange[] = [];
  const opened = await openRewritingProviders(workspace);
  const problems = await outOfReach(opened, await inWorkspace(sessions, workspace), workspace);
  let rewrittenSnapshots = 0;
  let removedSnapshots = 0;
  try {
    for (const provider of opened.providers) {
      const { name } = provider;
      const replaced = await provider.prepareScrub?.(
        (bytes) => withoutText(bytes, scrub.forms),
        scrub.signal,
      );
      if (replaced) {
        changes.push({ kind: 'rewrite', workspace, provider: name, replaced: [...replaced] });
        rewrittenSnapshots += replaced.size;
      } else {
        const { change, ...volume } = await planVolumeScrub(provider, { ...scrub, sessions });
        changes.push({ ...change, workspace });
        removedSnapshots += change.snapshots.length;
        problems.push(...volume.problems);
      }
    }
  } finally {
    dispose(opened.providers);
  }
  return { changes, rewrittenSnapshots, removedSnapshots, problems };
}

/** Searches all snapshots again. @param kept how many snapshots could not be deleted */
export async function verifySnapshots(
  workspace: string,
  scrub: SnapshotScrub,
  catalogue: Catalogue,
  kept: number,
): Promise<void> {
  const sessions = await catalogue.list();
  const { providers } = await openRewritingProviders(workspace);
  try {
    for (const provider of providers) {
      await provider.verifyScrub?.((bytes) => withoutText(bytes, scrub.forms), scrub.signal);
      await verifyVolume(provider, { ...scrub, sessions }, kept);
    }
  } finally {
    dispose(providers);
  }
}

async function inWorkspace(
  sessions: readonly CataloguedSession[],
  workspace: string,
): Promise<CataloguedSession[]> {
  const own: CataloguedSession[] = [];
  for (const each of sessions)
    if (each.meta.workspace !== undefined && (await isSamePlace(each.meta.workspace, workspace)))
      own.push(each);
  return own;
}

/** Reports snapshots of providers that are not available now. */
async function outOfReach(
  { providers, refusals }: OpenedProviders,
  sessions: readonly CataloguedSession[],
  workspace: string,
): Promise<string[]> {
  const kept = new Map<ProviderName, number>();
  for (const { folder } of sessions) {
    for (const { files } of await readSnapshots(folder)) {
      if (files.state === 'kept') kept.set(files.provider, (kept.get(files.provider) ?? 0) + 1);
    }
  }
  return [...kept].flatMap(([name, count]) => {
    if (providers.some((provider) => provider.name === name)) return [];
    const reason = refusals.find((refusal) => refusal.name === name)?.reason;
    return [
      `${count} snapshots stored with ${name}: ${reason ?? `${workspace} no longer exists.`}`,
    ];
  });
}

function dispose(providers: readonly SnapshotProvider[]): void {
  for (const provider of providers) provider.dispose();
}
