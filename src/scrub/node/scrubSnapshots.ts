import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProviderName } from '../../snapshots/common/provider.ts';
import { replaceFile } from '../../platform/node/files/atomicFile.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { Catalogue, CataloguedSession } from '../../sessions/node/catalogue.ts';
import {
  openRewritingProviders,
  type OpenedProviders,
} from '../../snapshots/node/open/openProviders.ts';
import { readSnapshots } from '../../snapshots/node/list/snapshotsFile.ts';
import { isSamePlace } from '../../snapshots/node/open/workspacePlace.ts';
import { scrubVolume, type SnapshotScrub } from './scrubVolume.ts';
import { withoutText } from './textForms.ts';

/** Files in a session's folder with references to snapshots. */
const REFERENCE_FILES = ['session.snapshots.jsonl', 'session.restores.jsonl'];

export interface ScrubbedSnapshots {
  readonly rewrittenSnapshots: number;
  readonly removedSnapshots: number;
  /** Sentences about places that may still have the text. */
  readonly problems: readonly string[];
}

/** Removes a text from all snapshots of a session's workspace, which sessions share. */
export async function scrubSnapshotsOf(
  { meta }: CataloguedSession,
  scrub: SnapshotScrub,
  catalogue: Catalogue,
): Promise<ScrubbedSnapshots> {
  const { workspace } = meta;
  if (workspace === undefined) return { rewrittenSnapshots: 0, removedSnapshots: 0, problems: [] };
  const sessions = await catalogue.list();
  const own: CataloguedSession[] = [];
  for (const each of sessions)
    if (each.meta.workspace !== undefined && (await isSamePlace(each.meta.workspace, workspace)))
      own.push(each);
  const all = await openRewritingProviders(workspace);
  const problems = await outOfReach(all, own, workspace);
  let rewrittenSnapshots = 0;
  let removedSnapshots = 0;
  try {
    for (const provider of all.providers) {
      const replaced = await provider.scrub?.(
        (bytes) => withoutText(bytes, scrub.forms),
        scrub.signal,
      );
      if (replaced) {
        await replaceReferences(replaced, own);
        rewrittenSnapshots += replaced.size;
      } else {
        const volume = await scrubVolume(provider, { ...scrub, sessions });
        removedSnapshots += volume.removed;
        problems.push(...volume.problems);
      }
    }
  } finally {
    for (const provider of all.providers) provider.dispose();
  }
  return { rewrittenSnapshots, removedSnapshots, problems };
}

async function replaceReferences(
  replaced: ReadonlyMap<string, string>,
  sessions: readonly CataloguedSession[],
): Promise<void> {
  for (const { folder } of sessions) {
    for (const name of REFERENCE_FILES) await replaceIn(path.join(folder, name), replaced);
  }
  const registry = new BranchRegistry();
  for (const record of await registry.list()) {
    const ref = replaced.get(record.from.snapshotRef);
    if (ref) await registry.put({ ...record, from: { ...record.from, snapshotRef: ref } });
  }
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
    return [`${count} snapshots by ${name}: ${reason ?? `${workspace} no longer exists.`}`];
  });
}

async function replaceIn(file: string, replaced: ReadonlyMap<string, string>): Promise<void> {
  // A session without snapshots or restores does not have this file.
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  let fresh = text;
  for (const [before, after] of replaced) fresh = fresh.replaceAll(before, after);
  if (fresh !== text) await replaceFile(file, fresh);
}
