import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../base/errors.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { replaceFile } from '../../../platform/node/files/atomicFile.ts';
import type { Catalogue, CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { readSnapshots, SnapshotsFile } from '../../../snapshots/node/list/snapshotsFile.ts';
import { sessionsByWorkspace } from '../../../snapshots/node/prune/snapshotUses.ts';
import type { ProviderName } from '../../../snapshots/common/provider.ts';

/** Files in a session's folder with references to snapshots. */
const REFERENCE_FILES = ['session.snapshots.jsonl', 'session.restores.jsonl'];

/** All sessions, including deleted ones that can be restored. */
async function allSessions(catalogue: Catalogue): Promise<CataloguedSession[]> {
  return [...(await sessionsByWorkspace(catalogue)).byWorkspace.values()].flat();
}

/** Replaces references in all sessions and branches. A reference is unique to its snapshot. */
export async function replaceReferences(
  catalogue: Catalogue,
  replaced: ReadonlyMap<string, string>,
): Promise<void> {
  if (replaced.size === 0) return;
  for (const { folder } of await allSessions(catalogue)) {
    for (const name of REFERENCE_FILES) await replaceIn(path.join(folder, name), replaced);
  }
  const registry = new BranchRegistry();
  for (const record of await registry.list()) {
    const ref = replaced.get(record.from.snapshotRef);
    if (ref) await registry.put({ ...record, from: { ...record.from, snapshotRef: ref } });
  }
}

async function replaceIn(file: string, replaced: ReadonlyMap<string, string>): Promise<void> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return; // A session without snapshots or restores.
    throw error;
  }
  const fresh = text.replaceAll(/[\w-]+@[0-9a-f]{40,64}/g, (ref) => replaced.get(ref) ?? ref);
  if (fresh !== text) await replaceFile(file, fresh);
}

/** Marks a deleted snapshot as removed in all sessions. */
export async function markRemoved(
  catalogue: Catalogue,
  provider: ProviderName,
  namedBy: readonly string[],
): Promise<void> {
  for (const { folder } of await allSessions(catalogue)) {
    const gone = (await readSnapshots(folder)).filter(
      ({ files }) =>
        files.state === 'kept' && files.provider === provider && namedBy.includes(files.ref),
    );
    if (gone.length === 0) continue;
    const file = await SnapshotsFile.open(folder);
    for (const line of gone) await file.append({ ...line, files: { state: 'removed' } });
    await file.close();
  }
}
