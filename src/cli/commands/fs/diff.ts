import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { exportPaths } from '../../../snapshots/node/exportTree.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';
import type { SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import { workspaceTree } from '../../../snapshots/node/workspaceTree.ts';
import { WORKSPACE_NOW, type FileChange } from '../../../snapshots/common/provider.ts';
import { printable } from '../../formatting.ts';
import { writeOut } from '../../writeOut.ts';
import { parseSnapshotId } from '../../snapshotArgument.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';

interface Options extends CompareOptions {
  readonly session?: string;
}

export interface CompareOptions {
  readonly patch?: boolean;
  readonly json?: boolean;
}

export function diffCommand(): Command {
  return new Command('diff')
    .description('what changed on disk since a snapshot, or between two')
    .addOption(sessionOption())
    .argument('<from>', 'number of a snapshot', parseSnapshotId)
    .argument('[to]', 'number of another (default: the files as they are now)', parseSnapshotId)
    .option('-p, --patch', 'show the lines, not just the names')
    .option('--json', 'for programs')
    .action(diff);
}

async function diff(from: bigint, to: bigint | undefined, options: Options): Promise<void> {
  await withSessionFiles(options.session, (files) => printChanges(files, from, to, options));
}

/** @param to the files as they are now without it */
export async function printChanges(
  files: SessionFiles,
  from: bigint,
  to: bigint | undefined,
  { json, patch }: CompareOptions,
): Promise<void> {
  const provider = await files.provider();
  const changes = await provider.diff(
    files.kept(from).ref,
    to === undefined ? WORKSPACE_NOW : files.kept(to).ref,
    new AbortController().signal,
  );
  if (json) process.stdout.write(`${JSON.stringify(changes)}\n`);
  else if (patch) await printPatch(files, from, to, changes);
  else await writeOut(Readable.from(changes.map(asLine)));
}

const LETTERS = { added: 'A', modified: 'M', deleted: 'D', 'type-changed': 'T' } as const;

function asLine({ kind, path }: FileChange): string {
  return `${LETTERS[kind]}  ${printable(path)}\n`;
}

/** Lets git, which does this best, compare the changed files, laid out in two folders. */
async function printPatch(
  files: SessionFiles,
  from: bigint,
  to: bigint | undefined,
  changes: readonly FileChange[],
): Promise<void> {
  if (changes.length === 0) return;
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
    const { error } = spawnSync('git', arguments_, {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (error) throw new UserError('no-git', 'Showing the lines needs git, which was not found.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
