import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import {
  applyPlan,
  lastReplaced,
  momentState,
  planRestore,
} from '../../../snapshots/node/restoreWorkspace.ts';
import type { SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import type { RestoreStep } from '../../../snapshots/common/restoreSteps.ts';
import { confirm } from '../../confirm.ts';
import { counted, printable } from '../../formatting.ts';
import { Progress } from '../../progress.ts';
import { parseSnapshotId } from '../../snapshotArgument.ts';
import { sessionOption, whichSession, withSessionFiles } from '../../whichSession.ts';

interface Options {
  readonly session?: string;
  readonly undo?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('make the files of the workspace what they were; the present ones are kept first')
    .addOption(sessionOption())
    .argument('[snapshot]', 'its number', parseSnapshotId)
    .option('--undo', 'go back to how it was before the last restore')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask')
    .action(restore);
}

async function restore(id: bigint | undefined, options: Options): Promise<void> {
  if ((id === undefined) === !options.undo) {
    throw new UserError('bad-argument', 'Say the number of a snapshot, or --undo.');
  }
  const session = await whichSession(options.session);
  const replaced = id === undefined ? await lastReplaced(session.folder) : undefined;
  const work = async (files: SessionFiles): Promise<void> => {
    const { signal } = new AbortController();
    const target = replaced
      ? { ...replaced, label: 'undo' }
      : { ...momentState(files.kept(id!)), label: `snapshot ${id}` };
    const plan = await planRestore(files, { ...target, signal });
    const { steps } = plan;
    for (const step of steps) process.stdout.write(asLine(step));
    if (steps.length === 0) process.stdout.write('The files are like that already.\n');
    if (steps.length === 0 || options.dryRun) return;
    if (!options.yes) await confirm(`Change ${inWords(steps)} in ${files.workspace}?`);
    const progress = new Progress('Restoring');
    const onProgress = (done: number, total: number) => progress.update(done / total);
    const { done, skipped } = await applyPlan(files, plan, { signal, onProgress });
    progress.done();
    process.stdout.write(`${inWords(done)} restored. To undo: ah agent fs restore --undo\n`);
    if (skipped.length === 0) return;
    const left = skipped
      .map(({ step, reason }) => `  ${printable(step.path)}: ${reason}`)
      .join('\n');
    const what = inWords(skipped.map(({ step }) => step));
    throw new UserError('partly-restored', `${what} left alone:\n${left}`);
  };
  await withSessionFiles(session.meta.id, work, replaced?.workspace);
}

/** `3 files`, `2 empty folders`, `3 files and 1 empty folder`, `3 files and the permissions of 1 folder`. */
function inWords(steps: readonly RestoreStep[]): string {
  const folders = steps.filter(({ isFolder }) => isFolder);
  const changed = folders.filter(({ kind }) => kind === 'change').length;
  const empty = folders.length - changed;
  const files = steps.length - folders.length;
  const words = [
    ...(files > 0 || folders.length === 0 ? [counted(files, 'file')] : []),
    ...(empty > 0 ? [counted(empty, 'empty folder')] : []),
    ...(changed > 0 ? [`the permissions of ${counted(changed, 'folder')}`] : []),
  ];
  return words.join(' and ');
}

const LETTERS = { create: 'A', change: 'M', delete: 'D' } as const;

function asLine({ kind, path, isFolder, permissions }: RestoreStep): string {
  const name = `${printable(path)}${isFolder ? '/' : ''}`;
  const modes =
    permissions && ` (permissions ${octal(permissions.before)} → ${octal(permissions.after)})`;
  return `${LETTERS[kind]}  ${name}${modes ?? ''}\n`;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}
