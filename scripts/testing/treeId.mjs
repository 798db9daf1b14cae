// Computes an ID of all files in the working tree, committed or not.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** @returns {string} equal for equal files; ignored files do not count */
export function treeId() {
  const folder = mkdtempSync(path.join(tmpdir(), 'ah-tree-'));
  try {
    // A separate index keeps the user's staged changes.
    const index = path.join(folder, 'index');
    const git = (args, env = process.env) =>
      execFileSync('git', args, { env, encoding: 'utf8' }).trim();
    const current = git(['rev-parse', '--git-path', 'index']);
    if (existsSync(current)) copyFileSync(current, index);
    const env = { ...process.env, GIT_INDEX_FILE: index };
    git(['add', '--all'], env);
    return git(['write-tree'], env).slice(0, 12);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
