import { chooseSnapshot } from '../../branching/common/chooseSnapshot.ts';
import type { MomentRef } from '../../branching/common/momentRef.ts';
import { isAhOrGitPath } from '../../branching/node/branchWorkspace.ts';
import { allPaths } from '../../snapshots/node/restore/exportTree.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';

/** A longer list would delay the page; the user can also type a path that is not listed. */
const MAX_FILES = 20_000;

/** The files at a moment, as paths relative to the workspace; empty if there is no snapshot. */
export async function momentFiles(
  opened: OpenedSnapshots,
  sessionId: string,
  moment: MomentRef,
): Promise<string[]> {
  const { snapshots } = await opened.files(sessionId);
  const kept = snapshots.filter(({ files }) => files.state === 'kept');
  const { line } = await chooseSnapshot(kept, moment, () => Promise.resolve(undefined));
  if (!line) return [];
  const found: string[] = [];
  for await (const path of allPaths(await opened.tree({ sessionId, snapshotId: line.id }))) {
    if (!isAhOrGitPath(path)) found.push(path);
    if (found.length === MAX_FILES) break;
  }
  return found;
}
