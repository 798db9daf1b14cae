import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import type { SessionFiles } from '../../snapshots/node/list/sessionFiles.ts';
import { snapshotPatch } from './snapshotPatch.ts';

/** The changes between two snapshots as a patch; undefined if they can't be compared. */
export async function snapshotDiff(
  files: SessionFiles,
  before: SnapshotLine | undefined,
  after: SnapshotLine | undefined,
): Promise<string | undefined> {
  if (!after || !before) return undefined;
  try {
    const provider = await files.provider();
    const [from, to] = [files.kept(before.id).ref, files.kept(after.id).ref];
    const changes = await provider.diff(from, to, new AbortController().signal);
    return await snapshotPatch(files, [before.id, after.id], changes, ['ignore', 'pipe', 'ignore']);
  } catch {
    return undefined; // The text is useful without the diff.
  }
}
