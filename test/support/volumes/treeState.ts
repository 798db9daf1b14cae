import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { pathFromBytes } from '../../../src/snapshots/common/pathBytes.ts';
import type { FileChange } from '../../../src/snapshots/common/provider.ts';

/**
 * All facts about a tree that a test compares, by relative path, read without the code under test.
 */
export type TreeState = Map<string, string>;

const FOLDER = 'folder';

export function treeState(root: string): TreeState {
  const state: TreeState = new Map();
  const visit = (folder: Buffer, prefix: string): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const place = Buffer.concat([folder, Buffer.from('/'), name]);
      const path = prefix + pathFromBytes(name);
      const stat = lstatSync(place);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) {
        state.set(path, `${FOLDER} ${mode}`);
        visit(place, `${path}/`);
      } else if (stat.isSymbolicLink()) {
        state.set(path, `symlink ${pathFromBytes(readlinkSync(place, { encoding: 'buffer' }))}`);
      } else if (stat.isFile()) {
        state.set(path, `file ${mode} ${readFileSync(place, 'base64')}`);
      } else {
        state.set(path, `other ${mode}`);
      }
    }
  };
  visit(Buffer.from(root), '');
  return state;
}

/** The changes between two states, computed in the slow and obvious way. */
export function changesOf(before: TreeState, after: TreeState): FileChange[] {
  const changes: FileChange[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const old = fileAt(before, path);
    const now = fileAt(after, path);
    if (old === now) continue;
    if (old === undefined) changes.push({ path, kind: 'added' });
    else if (now === undefined) changes.push({ path, kind: 'deleted' });
    else if (kindOf(old) !== kindOf(now)) changes.push({ path, kind: 'type-changed' });
    else changes.push({ path, kind: 'modified', ...permissionsOf(old, now) });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Permissions of files that differ. */
function permissionsOf(old: string, now: string): Pick<FileChange, 'permissions'> {
  const [before, after] = [old, now].map((text) => parseInt(text.split(' ')[1]!, 8));
  if (kindOf(now) !== 'file' || before === after) return {};
  return { permissions: { before: before!, after: after! } };
}

function fileAt(state: TreeState, path: string): string | undefined {
  const text = state.get(path);
  return text === undefined || kindOf(text) === FOLDER ? undefined : text;
}

function kindOf(text: string): string {
  return text.split(' ')[0]!;
}
