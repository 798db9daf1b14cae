import path from 'node:path';
import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../../branching/common/branchRecord.ts';
import type { TakeBackStep } from '../../../branching/common/threeWay.ts';
import { commitsToMerge, mergeBranch } from '../../../branching/node/apply/branchCommits.ts';
import { checkTakeable } from '../../../branching/node/branchWorkspace.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { applyBranch, planApply } from '../../../branching/node/apply/applyBranch.ts';
import { movedWorkspace, sessionToApplyTo } from '../../../branching/node/apply/applyTarget.ts';
import type { Omission } from '../../../snapshots/common/provider.ts';
import type { SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import { confirm } from '../../confirm.ts';
import { counted, printable } from '../../formatting.ts';
import { Progress } from '../../progress.ts';
import { withSessionFiles } from '../../whichSession.ts';
import { cancelled } from './cancelled.ts';

interface Options {
  readonly merge?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly movedTo?: string;
}

const LETTERS = { added: 'A', modified: 'M', deleted: 'D', 'type-changed': 'T' } as const;
const NOTES = {
  take: '',
  merge: '  (merged with your changes)',
  conflict: '  (conflicts with your changes: left alone)',
};

export function takeCommand(): Command {
  return new Command('take')
    .description('take the result of a branch back to the workspace it came from')
    .argument('<branch>', 'its name, folder or id')
    .option('--merge', 'merge its commits with git instead of applying its changes')
    .option('--moved-to <folder>', 'where that workspace is now, if it has moved')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask')
    .action(take);
}

async function take(which: string, options: Options): Promise<void> {
  const record = cameFrom(await new BranchRegistry().find(which), options.movedTo);
  checkTakeable(record);
  await cancelled((signal) =>
    options.merge ? merge(record, options, signal) : apply(record, options, signal),
  );
}

/** As if it had been branched off where the workspace is now. */
function cameFrom(record: BranchRecord, movedTo: string | undefined): BranchRecord {
  if (movedTo === undefined) return record;
  const { from } = record;
  const knownAs = from.knownAs ?? from.workspace;
  return { ...record, from: { ...from, workspace: path.resolve(movedTo), knownAs } };
}

async function merge(record: BranchRecord, options: Options, signal: AbortSignal): Promise<void> {
  const commits = await commitsToMerge(record, signal);
  for (const commit of commits) process.stdout.write(`${printable(commit)}\n`);
  if (commits.length === 0)
    throw new UserError('nothing-committed', 'Nothing was committed in the branch.');
  if (options.dryRun) return;
  const { workspace } = record.from;
  if (!options.yes) await confirm(`Merge ${counted(commits.length, 'commit')} into ${workspace}?`);
  process.stdout.write(`${await mergeBranch(record, signal)}\n`);
  if (signal.aborted) {
    process.stderr.write('ah: It was too late to cancel: the branch is merged.\n');
  }
}

async function apply(record: BranchRecord, options: Options, signal: AbortSignal): Promise<void> {
  const work = async (files: SessionFiles): Promise<void> => {
    const plan = await planApply(files, record, signal);
    try {
      for (const step of plan.steps) process.stdout.write(asLine(step));
      for (const each of plan.untaken) process.stdout.write(asUntaken(each));
      const wanted = plan.steps.filter(({ how }) => how !== 'conflict');
      if (plan.steps.length === 0) process.stdout.write('There is nothing to take back.\n');
      if (options.dryRun || plan.steps.length === 0) return;
      if (wanted.length > 0) {
        if (!options.yes)
          await confirm(`Change ${counted(wanted.length, 'file')} in ${files.workspace}?`);
        const progress = new Progress('Taking back');
        const onProgress = (done: number, total: number) => progress.update(done / total);
        const { done, skipped } = await applyBranch(files, plan, { signal, onProgress });
        progress.done();
        const undo = `ah agent fs restore --undo --session ${files.session.meta.id}`;
        process.stdout.write(`${counted(done.length, 'file')} taken back. To undo: ${undo}\n`);
        for (const { step, reason } of skipped)
          process.stderr.write(`ah: ${printable(step.path)}: ${reason}\n`);
        if (skipped.length > 0) process.exitCode = 1;
      }
      const conflicts = plan.steps.length - wanted.length;
      if (conflicts > 0) {
        throw new UserError(
          'conflicts',
          `${counted(conflicts, 'file')} left alone: in conflict with your own changes.`,
        );
      }
    } finally {
      plan.branch.dispose();
    }
  };
  const { meta } = await sessionToApplyTo(record);
  await withSessionFiles(meta.id, work, movedWorkspace(record));
}

/** Whoever wants it has to copy it. */
function asUntaken({ path, reason, detail }: Omission): string {
  const why = detail === undefined ? reason : `${reason}, ${detail}`;
  return `!  ${printable(path)}  (not taken, for no snapshot holds it: ${why})\n`;
}

function asLine({ path, change, how }: TakeBackStep): string {
  return `${LETTERS[change]}  ${printable(path)}${NOTES[how]}\n`;
}
