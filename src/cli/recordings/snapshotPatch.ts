import { spawnSync, type StdioOptions } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { nodeFiles } from '../../platform/node/files/files.ts';
import type { SessionFiles } from '../../snapshots/node/list/sessionFiles.ts';
import type { FileChange } from '../../snapshots/common/provider.ts';
import { exportPaths } from '../../snapshots/node/restore/exportTree.ts';
import { workspaceTree } from '../../snapshots/node/restore/workspaceTree.ts';

/** A patch with more text than this is too long to read. */
const MAX_PATCH_BYTES = 64 * 1024 * 1024;

/**
 * Exports the changed files into two temporary folders and lets git compare them.
 * @param to the later snapshot, or undefined for the current files
 * @returns what git printed, if `stdio` makes its standard output a pipe; otherwise empty
 */
export async function snapshotPatch(
  files: SessionFiles,
  [from, to]: readonly [bigint, bigint | undefined],
  changes: readonly FileChange[],
  stdio: StdioOptions,
): Promise<string> {
  if (changes.length === 0) return '';
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ah-diff-'));
  try {
    const paths = changes.map((change) => change.path);
    const after = to === undefined ? workspaceTree(files.workspace) : await files.tree(to);
    for (const [name, tree] of [
      ['before', await files.tree(from)],
      ['after', after],
    ] as const) {
      await nodeFiles.makeFolder(path.join(folder, name));
      await exportPaths(tree, paths, path.join(folder, name), nodeFiles);
    }
    const arguments_ = ['diff', '--no-index', '--no-prefix', 'before', 'after'];
    const options = { cwd: folder, stdio, maxBuffer: MAX_PATCH_BYTES };
    const { error, stdout } = spawnSync('git', arguments_, options);
    if (error) throw new UserError('no-git', '--patch needs git, which is not installed.');
    // `stdout` is null when git prints to our standard output instead of a pipe.
    return withBothSides((stdout as Buffer | null)?.toString() ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Git names the same folder twice in the heading of an added or deleted file. */
export function withBothSides(patch: string): string {
  return patch.replace(
    /^diff --git ("?)(?:before|after)\/(.*) \1(?:before|after)\/\2$/gm,
    'diff --git $1before/$2 $1after/$2',
  );
}
