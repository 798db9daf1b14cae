import { Readable } from 'node:stream';
import { Command } from 'commander';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import { WORKSPACE_NOW, type FileChange } from '../../../snapshots/common/provider.ts';
import { CHANGE_LETTERS, printable } from '../../formatting.ts';
import { snapshotPatch } from '../../recordings/snapshotPatch.ts';
import { writeOut } from '../../writeOut.ts';
import { parseSnapshotId } from '../../arguments.ts';
import { sessionOption, withSessionFiles } from '../../whichSession.ts';
import { JSON_OUTPUT } from '../../descriptions.ts';

interface Options extends CompareOptions {
  readonly session?: string;
}

export interface CompareOptions {
  readonly patch?: boolean;
  readonly json?: boolean;
}

export function diffCommand(): Command {
  return new Command('diff')
    .description('Show what changed on disk since a snapshot, or between two snapshots')
    .addOption(sessionOption())
    .argument('<from>', 'Number of a snapshot', parseSnapshotId)
    .argument('[to]', 'Number of another snapshot (default: the current files)', parseSnapshotId)
    .option('-p, --patch', 'Show changed lines, not just names')
    .option('--json', JSON_OUTPUT)
    .action(diff);
}

async function diff(from: bigint, to: bigint | undefined, options: Options): Promise<void> {
  await withSessionFiles(options.session, (files) => printChanges(files, from, to, options));
}

/** @param to the snapshot to compare with, or undefined for the current files */
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
  else if (patch) await snapshotPatch(files, [from, to], changes, ['ignore', 'inherit', 'inherit']);
  else await writeOut(Readable.from(changes.map(asLine)));
}

function asLine({ kind, path }: FileChange): string {
  return `${CHANGE_LETTERS[kind]}  ${printable(path)}\n`;
}
