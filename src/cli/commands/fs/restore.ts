import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { lastChange } from '../../../branching/node/apply/lastChange.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import {
  applyPlan,
  planRestore,
  type RestoreRequest,
} from '../../../snapshots/node/restore/restoreWorkspace.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import type { RestoreStep } from '../../../snapshots/common/restore/restoreSteps.ts';
import { confirm } from '../../terminal/confirm.ts';
import { counted, printable } from '../../formatting.ts';
import { Progress } from '../../progress.ts';
import { parseSnapshotId } from '../../arguments.ts';
import { sessionOption, whichSession, withSessionFiles } from '../../whichSession.ts';
import { SNAPSHOT_NUMBER } from '../../descriptions.ts';

interface Options {
  readonly session?: string;
  readonly undo?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restore the workspace to a snapshot; first takes a snapshot of the current files')
    .addOption(sessionOption())
    .argument('[snapshot]', SNAPSHOT_NUMBER, parseSnapshotId)
    .option('--undo', 'Undo the last restore')
    .option('--dry-run', 'Show what would change')
    .option('--yes', 'Do not ask for confirmation')
    .action(restore);
}

async function restore(id: bigint | undefined, options: Options): Promise<void> {
  if ((id === undefined) === !options.undo) {
    throw new UserError('bad-argument', 'Name a snapshot by its number, or use --undo.');
  }
  const session = await whichSession(options.session);
  if (id === undefined) {
    const change = await lastChange(session, new BranchRegistry(), new Catalogue());
    const { replaced } = change;
    const { by } = replaced;
    const undone = by && { by: { ...by, action: 'undo', name: by.name } as const };
    const undo = (files: SessionFiles) =>
      restoreTo(files, { ...replaced, ...undone, label: 'undo' }, options);
    await withSessionFiles(change.session.meta.id, undo, replaced.workspace);
    return;
  }
  await withSessionFiles(session.meta.id, (files) =>
    restoreTo(files, { ...files.kept(id), label: `snapshot ${id}` }, options),
  );
}

async function restoreTo(
  files: SessionFiles,
  target: Omit<RestoreRequest, 'signal'>,
  options: Options,
): Promise<void> {
  const { signal } = new AbortController();
  const plan = await planRestore(files, { ...target, signal });
  const { steps } = plan;
  for (const step of steps) process.stdout.write(asLine(step));
  if (steps.length === 0) process.stdout.write('The files already match; nothing to restore.\n');
  if (steps.length === 0 || options.dryRun) return;
  if (!options.yes) await confirm(`Change ${inWords(steps)} in ${files.workspace}?`);
  const progress = new Progress('Restoring');
  const onProgress = (done: number, total: number) => progress.update(done / total);
  const { done, skipped } = await applyPlan(files, plan, { signal, onProgress });
  progress.done();
  process.stdout.write(`Restored ${inWords(done)}. To undo: ah agent fs restore --undo\n`);
  if (skipped.length === 0) return;
  const left = skipped
    .map(({ step, reason }) => `  ${printable(step.path)}: ${printable(reason)}`)
    .join('\n');
  const what = inWords(skipped.map(({ step }) => step));
  throw new UserError('partly-restored', `Not restored: ${what}\n${left}`);
}

/**
 * Such as `3 files`, `2 empty folders`, `3 files and 1 empty folder`, or `3 files and the
 * permissions of 1 folder`.
 */
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
