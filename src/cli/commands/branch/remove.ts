import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { lossesOf, type BranchLosses } from '../../../branching/node/remove/branchLosses.ts';
import { checkNoneRuns } from '../../../branching/node/remove/sessionsInFolder.ts';
import { removeBranch } from '../../../branching/node/remove/removeBranch.ts';
import { confirm } from '../../confirm.ts';
import { counted, printable } from '../../formatting.ts';
import { cancelled } from './cancelled.ts';

const LETTERS = { added: 'A', modified: 'M', deleted: 'D', 'type-changed': 'T' } as const;
const SHOWN = 20;

export function removeCommand(): Command {
  return new Command('rm')
    .description('discard a branch: its folder, its session and its snapshots')
    .argument('<branch>', 'its name, folder or id')
    .option('--dry-run', 'only show what would be lost')
    .option('--yes', 'do not ask')
    .action(remove);
}

async function remove(which: string, options: { dryRun?: boolean; yes?: boolean }): Promise<void> {
  const registry = new BranchRegistry();
  const record = await registry.find(which);
  const losses = await cancelled((signal) => lossesOf(record, registry, signal));
  for (const line of lossText(losses)) process.stdout.write(`${line}\n`);
  if (options.dryRun) return;
  if (losses.isRunning) {
    throw new UserError(
      'session-running',
      `It is running; stop it first: ah agent stop ${record.id}`,
    );
  }
  checkNoneRuns(losses.others, record.workspace);
  if (!options.yes) await confirm(`Discard the branch “${record.name}” in ${record.workspace}?`);
  for (const sentence of await removeBranch(record, registry)) {
    process.stderr.write(`ah: ${sentence}\n`);
  }
  process.stdout.write(`The branch “${record.name}” is gone.\n`);
}

function lossText(losses: BranchLosses): string[] {
  const { commits, files, leftOut, session, others, agentFiles, unknown } = losses;
  const lines: string[] = [];
  if (unknown !== undefined) lines.push(`What it changed cannot be said: ${unknown}`);
  if (commits.length > 0) {
    lines.push(`${counted(commits.length, 'commit')} that nothing else has:`);
    lines.push(...shortened(commits.map((each) => `  ${printable(each)}`)));
  }
  if (files.length > 0) {
    lines.push(`Changes to ${counted(files.length, 'file')}:`);
    lines.push(
      ...shortened(files.map(({ path, kind }) => `  ${LETTERS[kind]}  ${printable(path)}`)),
    );
  }
  if (leftOut.length > 0) {
    lines.push('Ignored or too large, and in no snapshot:');
    lines.push(...shortened(leftOut.map((each) => `  ${printable(each)}`)));
  }
  if (session) lines.push(`The session ${session.meta.id} with its recording and snapshots.`);
  for (const { meta, name, snapshots } of others) {
    if (snapshots.length === 0) continue;
    const what = counted(snapshots.length, 'snapshot');
    lines.push(`${what} of another session in its folder, ${meta.id} (${printable(name)}).`);
  }
  for (const file of agentFiles) lines.push(`What the agent wrote down of it: ${printable(file)}`);
  return lines.length > 0 ? lines : ['Nothing would be lost.'];
}

function shortened(lines: readonly string[]): string[] {
  if (lines.length <= SHOWN) return [...lines];
  return [...lines.slice(0, SHOWN), `  … and ${lines.length - SHOWN} more`];
}
