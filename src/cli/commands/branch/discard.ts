import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { findLosses, type BranchLosses } from '../../../branching/node/remove/branchLosses.ts';
import { checkNotRunning } from '../../../branching/node/remove/sessionsInFolder.ts';
import { removeBranch } from '../../../branching/node/remove/removeBranch.ts';
import { confirm } from '../../terminal/confirm.ts';
import { CHANGE_LETTERS, counted, printable } from '../../formatting.ts';
import { withCancellation } from './withCancellation.ts';
import { BRANCH_NAME } from '../../descriptions.ts';

const SHOWN = 20;

export function discardCommand(): Command {
  return new Command('discard')
    .alias('rm')
    .description('Discard a branch: delete its folder, its session and its snapshots')
    .argument('<branch>', BRANCH_NAME)
    .option('--dry-run', 'Show what would be lost')
    .option('--yes', 'Do not ask for confirmation')
    .action(discard);
}

async function discard(which: string, options: { dryRun?: boolean; yes?: boolean }): Promise<void> {
  const registry = new BranchRegistry();
  const record = await registry.find(which);
  const losses = await withCancellation((signal) => findLosses(record, registry, signal));
  for (const line of lossText(losses)) process.stdout.write(`${line}\n`);
  if (options.dryRun) return;
  if (losses.isRunning) {
    throw new UserError(
      'session-running',
      `Can't discard “${record.name}”: its session is running. Stop it first: ah agent stop ${record.id}`,
    );
  }
  checkNotRunning(losses.others, record.workspace);
  if (!options.yes) await confirm(`Discard the branch “${record.name}” in ${record.workspace}?`);
  for (const sentence of await removeBranch(record, registry)) {
    process.stderr.write(`ah: ${sentence}\n`);
  }
  process.stdout.write(`Discarded “${record.name}”.\n`);
}

function lossText(losses: BranchLosses): string[] {
  const { commits, files, leftOut, session, others, agentFiles, unknown } = losses;
  const lines: string[] = [];
  if (unknown !== undefined) lines.push(`Can't determine the branch's changes: ${unknown}`);
  if (commits.length > 0) {
    lines.push(`${counted(commits.length, 'commit')} only in this branch:`);
    lines.push(...shortened(commits.map((each) => `  ${printable(each)}`)));
  }
  if (files.length > 0) {
    lines.push(`Changes to ${counted(files.length, 'file')}:`);
    lines.push(
      ...shortened(files.map(({ path, kind }) => `  ${CHANGE_LETTERS[kind]}  ${printable(path)}`)),
    );
  }
  if (leftOut.length > 0) {
    lines.push('Not in any snapshot (ignored or too large):');
    lines.push(...shortened(leftOut.map((each) => `  ${printable(each)}`)));
  }
  if (session) lines.push(`The session ${session.meta.id} with its recording and snapshots.`);
  for (const { meta, name, snapshots } of others) {
    if (snapshots.length === 0) continue;
    const what = counted(snapshots.length, 'snapshot');
    lines.push(`${what} of another session in its folder, ${meta.id} (${printable(name)}).`);
  }
  for (const file of agentFiles)
    lines.push(`The agent's record of this session: ${printable(file)}`);
  return lines.length > 0 ? lines : ['Nothing would be lost.'];
}

function shortened(lines: readonly string[]): string[] {
  if (lines.length <= SHOWN) return [...lines];
  return [...lines.slice(0, SHOWN), `  … and ${lines.length - SHOWN} more`];
}
