import { Command } from 'commander';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { DeletedSessions } from '../../sessions/node/deletedSessions.ts';
import { wallNs } from '../../platform/node/systemClock.ts';
import { expiredSessions, removeSessions } from '../../sessions/node/sessionRetention.ts';
import { wholeNumber } from '../arguments.ts';
import { counted, formatTime, printable } from '../formatting.ts';

const MAX_DAYS = 36_500;

export function pruneCommand(): Command {
  return new Command('prune')
    .description('Delete sessions that ended more than --keep-days ago, with their recordings')
    .requiredOption(
      '--keep-days <n>',
      'Days to keep a session after it ends',
      wholeNumber(1, MAX_DAYS),
    )
    .option('--dry-run', 'List the sessions without deleting them')
    .addHelpText(
      'after',
      '\nSessions with a pinned snapshot or with branches are kept. To delete snapshots only: ah agent fs prune',
    )
    .action(prune);
}

async function prune(options: { keepDays: number; dryRun?: boolean }): Promise<void> {
  const catalogue = new Catalogue();
  const expired = await expiredSessions(
    catalogue,
    options.keepDays,
    wallNs(),
    new BranchRegistry(),
  );
  for (const { meta } of expired) {
    const line = `${meta.id}  ${formatTime(meta.startedAtNs)}  ${printable(meta.cmd.join(' '))}`;
    process.stdout.write(`${line}\n`);
  }
  if (!options.dryRun) await removeSessions(expired, new DeletedSessions(catalogue));
  const count = counted(expired.length, 'session');
  process.stdout.write(options.dryRun ? `${count} would be deleted.\n` : `${count} deleted.\n`);
}
