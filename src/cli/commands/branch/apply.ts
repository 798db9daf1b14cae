import path from 'node:path';
import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../../branching/common/branchRecord.ts';
import type { ApplyStep } from '../../../branching/common/threeWay.ts';
import { commitsToMerge, mergeBranch } from '../../../branching/node/apply/branchCommits.ts';
import { checkComparable } from '../../../branching/node/branchWorkspace.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { applyBranch, planApply } from '../../../branching/node/apply/applyBranch.ts';
import { movedWorkspace, sessionToApplyTo } from '../../../branching/node/apply/applyTarget.ts';
import type { Omission } from '../../../snapshots/common/provider.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import { confirm } from '../../terminal/confirm.ts';
import { CHANGE_LETTERS, counted, printable } from '../../formatting.ts';
import { Progress } from '../../progress.ts';
import { withSessionFiles } from '../../whichSession.ts';
import { withCancellation } from './withCancellation.ts';
import { BRANCH_NAME } from '../../descriptions.ts';

interface Options {
  readonly merge?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly movedTo?: string;
}

const NOTES = {
  take: '',
  merge: '  (merged with your changes)',
  conflict: '  (skipped: conflicts with your changes)',
};

export function applyCommand(): Command {
  return new Command('apply')
    .alias('take')
    .description('Apply the changes of a branch to the original workspace')
    .argument('<branch>', BRANCH_NAME)
    .option('--merge', 'Merge the commits of the branch with git instead')
    .option('--moved-to <folder>', 'Where the original workspace is now, if it has moved')
    .option('--dry-run', 'Show what would change')
    .option('--yes', 'Do not ask for confirmation')
    .action(applyOrMerge);
}

async function applyOrMerge(which: string, options: Options): Promise<void> {
  const record = withMovedOriginal(await new BranchRegistry().find(which), options.movedTo);
  checkComparable(record);
  await withCancellation((signal) =>
    options.merge ? merge(record, options, signal) : apply(record, options, signal),
  );
}

/** @returns the record with the present folder of the original in place of the old one */
function withMovedOriginal(record: BranchRecord, movedTo: string | undefined): BranchRecord {
  if (movedTo === undefined) return record;
  const { from } = record;
  const knownAs = from.knownAs ?? from.workspace;
  return { ...record, from: { ...from, workspace: path.resolve(movedTo), knownAs } };
}

async function merge(record: BranchRecord, options: Options, signal: AbortSignal): Promise<void> {
  const commits = await commitsToMerge(record, signal);
  for (const commit of commits) process.stdout.write(`${printable(commit)}\n`);
  if (commits.length === 0)
    throw new UserError('nothing-committed', 'Nothing to merge: the branch has no new commits.');
  if (options.dryRun) return;
  const { workspace } = record.from;
  if (!options.yes) await confirm(`Merge ${counted(commits.length, 'commit')} into ${workspace}?`);
  process.stdout.write(`${await mergeBranch(record, signal)}\n`);
  if (signal.aborted) {
    process.stderr.write('ah: Too late to cancel: the branch is already merged.\n');
  }
}

async function apply(record: BranchRecord, options: Options, signal: AbortSignal): Promise<void> {
  const work = async (files: SessionFiles): Promise<void> => {
    const plan = await planApply(files, record, signal);
    try {
      for (const step of plan.steps) process.stdout.write(asLine(step));
      for (const each of plan.unmerged) process.stdout.write(asUnmerged(each));
      const wanted = plan.steps.filter(({ how }) => how !== 'conflict');
      if (plan.steps.length === 0) process.stdout.write('Nothing to apply.\n');
      if (options.dryRun || plan.steps.length === 0) return;
      if (wanted.length > 0) {
        if (!options.yes)
          await confirm(`Change ${counted(wanted.length, 'file')} in ${files.workspace}?`);
        const progress = new Progress('Applying');
        const onProgress = (done: number, total: number) => progress.update(done / total);
        const { done, skipped } = await applyBranch(files, plan, { signal, onProgress });
        progress.done();
        const undo = `ah agent fs restore --undo --session ${files.session.meta.id}`;
        process.stdout.write(`Applied ${counted(done.length, 'file')}. To undo: ${undo}\n`);
        for (const { step, reason } of skipped)
          process.stderr.write(`ah: ${printable(step.path)}: ${printable(reason)}\n`);
        if (skipped.length > 0) process.exitCode = 1;
      }
      const conflicts = plan.steps.length - wanted.length;
      if (conflicts > 0) {
        throw new UserError(
          'conflicts',
          `Skipped ${counted(conflicts, 'file')} because of conflicts with your changes.`,
        );
      }
    } finally {
      plan.branch.dispose();
    }
  };
  const { meta } = await sessionToApplyTo(record);
  await withSessionFiles(meta.id, work, movedWorkspace(record));
}

function asUnmerged({ path, reason, detail }: Omission): string {
  const why = detail === undefined ? reason : `${reason}, ${detail}`;
  return `!  ${printable(path)}  (not applied: not in any snapshot, ${why})\n`;
}

function asLine({ path, change, how }: ApplyStep): string {
  return `${CHANGE_LETTERS[change]}  ${printable(path)}${NOTES[how]}\n`;
}
