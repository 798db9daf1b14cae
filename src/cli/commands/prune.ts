import { Command } from 'commander';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { DeletedSessions } from '../../sessions/node/deletedSessions.ts';
import { nowNs } from '../../agents/node/capture/followedSession.ts';
import { expiredSessions, removeSessions } from '../../sessions/node/sessionRetention.ts';
import { wholeNumber } from '../arguments.ts';
import { formatTime, printable } from '../formatting.ts';

const MAX_DAYS = 36_500;

export function pruneCommand(): Command {
  return new Command('prune')
    .description('remove sessions that ended long ago, with their recordings')
    .requiredOption('--keep-days <n>', 'how long sessions are kept', wholeNumber(1, MAX_DAYS))
    .option('--dry-run', 'only say which would go')
    .addHelpText(
      'after',
      '\nSessions with a pinned snapshot or with branches stay. For snapshots see: ah agent fs prune',
    )
    .action(prune);
}

async function prune(options: { keepDays: number; dryRun?: boolean }): Promise<void> {
  const catalogue = new Catalogue();
  const expired = await expiredSessions(catalogue, options.keepDays, nowNs());
  for (const { meta } of expired) {
    const line = `${meta.id}  ${formatTime(meta.startedAtNs)}  ${printable(meta.cmd.join(' '))}`;
    process.stdout.write(`${line}\n`);
  }
  if (!options.dryRun) await removeSessions(expired, new DeletedSessions(catalogue));
  const count = `${expired.length} ${expired.length === 1 ? 'session' : 'sessions'}`;
  process.stdout.write(options.dryRun ? `${count} would go.\n` : `${count} removed.\n`);
}
