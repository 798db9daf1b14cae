import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ProviderName, SnapshotProvider } from '../../snapshots/common/provider.ts';
import { replaceFile } from '../../platform/node/files/atomicFile.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { allSnapshotProviders, type AllProviders } from '../../snapshots/node/snapshotProviders.ts';
import { readSnapshots } from '../../snapshots/node/snapshotsFile.ts';
import { isSamePlace } from '../../snapshots/node/workspacePlace.ts';
import type { ScrubOptions } from './scrubSession.ts';
import { scrubVolume } from './scrubVolume.ts';
import { withoutText } from './textForms.ts';

/** Where references to snapshots are written down, in a session's folder. */
const REFERENCE_FILES = ['session.snapshots.jsonl', 'session.restores.jsonl'];

export interface ScrubbedSnapshots {
  readonly rewrittenSnapshots: number;
  readonly removedSnapshots: number;
  /** Sentences on what could not be done, and may still have it. */
  readonly troubles: readonly string[];
}

export interface SoughtText {
  readonly text: string;
  readonly forms: readonly Buffer[];
  /** What of the session had it. */
  readonly scrubbedPlaces: readonly string[];
}

/** Takes a text out of all snapshots of a session's workspace: the same contents may be in those of any session. */
export async function scrubSnapshotsOf(
  { meta }: CataloguedSession,
  sought: SoughtText,
  { catalogue, signal }: ScrubOptions,
): Promise<ScrubbedSnapshots> {
  const { workspace } = meta;
  if (workspace === undefined) return { rewrittenSnapshots: 0, removedSnapshots: 0, troubles: [] };
  const sessions = await catalogue.list();
  const own: CataloguedSession[] = [];
  for (const each of sessions)
    if (each.meta.workspace !== undefined && (await isSamePlace(each.meta.workspace, workspace)))
      own.push(each);
  const standIn = await mkdtemp(path.join(os.tmpdir(), 'ah-scrub-'));
  const all = await allSnapshotProviders(workspace, standIn);
  const troubles = await outOfReach(all, own, workspace);
  let rewrittenSnapshots = 0;
  let removedSnapshots = 0;
  try {
    for (const provider of all.providers) {
      if (provider.scrub) rewrittenSnapshots += await rewrite(provider, own, sought, signal);
      else {
        const volume = await scrubVolume(provider, { ...sought, sessions, signal });
        removedSnapshots += volume.removed;
        troubles.push(...volume.troubles);
      }
    }
  } finally {
    for (const provider of all.providers) provider.dispose();
    await rm(standIn, { recursive: true, force: true });
  }
  return { rewrittenSnapshots, removedSnapshots, troubles };
}

async function rewrite(
  provider: SnapshotProvider,
  sessions: readonly CataloguedSession[],
  { forms }: SoughtText,
  signal: AbortSignal,
): Promise<number> {
  const replaced = await provider.scrub!((bytes) => withoutText(bytes, forms), signal);
  for (const { folder } of sessions) {
    for (const name of REFERENCE_FILES) await replaceIn(path.join(folder, name), replaced);
  }
  const registry = new BranchRegistry();
  for (const record of await registry.list()) {
    const ref = replaced.get(record.from.snapshotRef);
    if (ref) await registry.put({ ...record, from: { ...record.from, snapshotRef: ref } });
  }
  return replaced.size;
}

/** Snapshots that are said to be kept by somebody who does not work here now. */
async function outOfReach(
  { providers, refusals }: AllProviders,
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
    return [`${count} snapshots by ${name}: ${reason ?? `${workspace} is not there any more.`}`];
  });
}

async function replaceIn(file: string, replaced: ReadonlyMap<string, string>): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  let fresh = text;
  for (const [before, after] of replaced) fresh = fresh.replaceAll(before, after);
  if (fresh !== text) await replaceFile(file, fresh);
}
