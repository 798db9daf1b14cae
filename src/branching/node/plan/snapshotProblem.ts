import { messageOf } from '../../../base/errors.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';

/**
 * Why a snapshot can't be used; undefined when it can. Opens the snapshot, because the list tells
 * what was stored, not what still exists.
 */
export async function snapshotProblem(
  files: SessionFiles,
  line: SnapshotLine,
): Promise<string | undefined> {
  try {
    const kept = files.kept(line.id);
    const provider = await files.provider();
    if (kept.provider !== provider.name) {
      return `It is stored with ${kept.provider}, which is not available here now.`;
    }
    const tree = await provider.open(kept.ref);
    // A snapshot that is a folder is complete if it exists. Of other snapshots, read at least the
    // first parts.
    if (tree.folder === undefined) await Promise.all([tree.list(''), tree.omissions()]);
    else await tree.stat('');
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
