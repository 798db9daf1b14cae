// Names the files of the working tree as they are now, whether committed or not.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** @returns {string} the same for the same files; ignored ones do not count */
export function treeId() {
  const folder = mkdtempSync(path.join(tmpdir(), 'ah-tree-'));
  try {
    // In an index of its own, so that what the user has staged stays as it is.
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
