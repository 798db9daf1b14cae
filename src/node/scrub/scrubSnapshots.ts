import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotProvider, SnapshotTree } from '../../snapshots/provider.ts';
import { replaceFile } from '../files/atomicFile.ts';
import { BranchRegistry } from '../branching/branchRegistry.ts';
import type { CataloguedSession } from '../sessions/catalogue.ts';
import { openSnapshotProvider } from '../snapshots/snapshotProviders.ts';
import { readSnapshots, SnapshotsFile } from '../snapshots/snapshotsFile.ts';
import type { ScrubOptions } from './scrubSession.ts';
import { withoutText } from './textForms.ts';

/** Where references to snapshots are written down, in a session's folder. */
const REFERENCE_FILES = ['session.snapshots.jsonl', 'session.restores.jsonl'];

export interface ScrubbedSnapshots {
  readonly rewrittenSnapshots: number;
  readonly removedSnapshots: number;
}

/** Takes a text out of all snapshots of a session's workspace: the same contents may be in those of any session. */
export async function scrubSnapshotsOf(
  { meta }: CataloguedSession,
  forms: readonly Buffer[],
  { catalogue, signal }: ScrubOptions,
): Promise<ScrubbedSnapshots> {
  const none = { rewrittenSnapshots: 0, removedSnapshots: 0 };
  const { workspace } = meta;
  if (workspace === undefined) return none;
  const sessions = (await catalogue.list()).filter((each) => each.meta.workspace === workspace);
  const provider = await openSnapshotProvider(workspace);
  try {
    if (provider.scrub) {
      const replaced = await provider.scrub((bytes) => withoutText(bytes, forms), signal);
      // Once more over everything: a text that is still there is a bug, and must not pass for gone.
      const left = await provider.scrub((bytes) => withoutText(bytes, forms), signal);
      if (left.size > 0) throw new Error(`The text is still in ${left.size} snapshots.`);
      for (const { folder } of sessions) {
        for (const name of REFERENCE_FILES) await replaceIn(path.join(folder, name), replaced);
      }
      const registry = new BranchRegistry();
      for (const record of await registry.list()) {
        const ref = replaced.get(record.from.snapshotRef);
        if (ref) await registry.put({ ...record, from: { ...record.from, snapshotRef: ref } });
      }
      return { ...none, rewrittenSnapshots: replaced.size };
    }
    return { ...none, removedSnapshots: await removeThoseWith(provider, sessions, forms, signal) };
  } finally {
    provider.dispose();
  }
}

/** A state that cannot be written anew has to go as a whole. */
async function removeThoseWith(
  provider: SnapshotProvider,
  sessions: readonly CataloguedSession[],
  forms: readonly Buffer[],
  signal: AbortSignal,
): Promise<number> {
  const going = await thoseWith(provider, forms, signal);
  for (const { folder } of sessions) {
    const lines = await readSnapshots(folder);
    const gone = lines.filter(({ files }) => files.state === 'kept' && going.has(files.ref));
    if (gone.length === 0) continue;
    const file = await SnapshotsFile.open(folder);
    for (const line of gone) await file.append({ ...line, files: { state: 'removed' } });
    await file.close();
  }
  if (going.size === 0) return 0;
  await provider.remove([...going]);
  const left = await thoseWith(provider, forms, signal);
  if (left.size > 0) throw new Error(`The text is still in ${left.size} snapshots.`);
  return going.size;
}

async function thoseWith(
  provider: SnapshotProvider,
  forms: readonly Buffer[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const ref of await provider.list()) {
    signal.throwIfAborted();
    if (await isIn(await provider.open(ref), '', forms, signal)) found.add(ref);
  }
  return found;
}

async function isIn(
  tree: SnapshotTree,
  folder: string,
  forms: readonly Buffer[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const { name, kind } of await tree.list(folder)) {
    signal.throwIfAborted();
    if (withoutText(Buffer.from(name), forms)) return true;
    const place = folder === '' ? name : `${folder}/${name}`;
    if (kind === 'folder') {
      if (await isIn(tree, place, forms, signal)) return true;
    } else if (kind !== 'other' && withoutText(await tree.read(place), forms)) return true;
  }
  return false;
}

async function replaceIn(file: string, replaced: ReadonlyMap<string, string>): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  let fresh = text;
  for (const [before, after] of replaced) fresh = fresh.replaceAll(before, after);
  if (fresh !== text) await replaceFile(file, fresh);
}
