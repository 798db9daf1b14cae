import { Command } from 'commander';
import { byteText } from '../../../base/byteText.ts';
import { messageOf } from '../../../base/errors.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import { planPruning, type PrunePlan } from '../../../snapshots/node/prune/planPruning.ts';
import { prune } from '../../../snapshots/node/prune/pruneSnapshots.ts';
import { DEFAULT_RETENTION, type RetentionPolicy } from '../../../snapshots/common/retention.ts';
import { positiveNumber, wholeNumber } from '../../arguments.ts';
import { counted } from '../../formatting.ts';
import { JSON_OUTPUT } from '../../descriptions.ts';

interface Options {
  readonly maxAgeDays: number;
  readonly maxCount: number;
  readonly maxGigabytes: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const GIGABYTE = 1e9;

export function pruneCommand(): Command {
  const { maxAgeMs, maxCount, maxBytes } = DEFAULT_RETENTION;
  return new Command('prune')
    .description(
      'Delete snapshots that exceed the limits; pinned snapshots and recordings are kept',
    )
    .option('--max-age-days <days>', 'Maximum age', positiveNumber, maxAgeMs / DAY_MS)
    .option(
      '--max-count <count>',
      'Maximum number for each session',
      wholeNumber(1, 1_000_000),
      maxCount,
    )
    .option(
      '--max-gigabytes <size>',
      'Maximum size for each workspace',
      positiveNumber,
      maxBytes / GIGABYTE,
    )
    .option('--dry-run', 'Show what would be deleted')
    .option('--json', JSON_OUTPUT)
    .action(pruneAll);
}

async function pruneAll(options: Options): Promise<void> {
  const policy: RetentionPolicy = {
    maxAgeMs: options.maxAgeDays * DAY_MS,
    maxCount: options.maxCount,
    maxBytes: options.maxGigabytes * GIGABYTE,
  };
  const sources = { catalogue: new Catalogue(), branches: new BranchRegistry() };
  const plans = await planPruning(sources, policy, (workspace, error) => {
    process.stderr.write(`ah: Can't prune the snapshots of ${workspace}: ${messageOf(error)}\n`);
  });
  const done: PrunePlan[] = [];
  for (const plan of plans) {
    done.push(options.dryRun ? plan : await prune(plan));
    plan.dispose();
  }
  const shown = done.filter(({ refs }) => refs.length > 0);
  if (options.json) process.stdout.write(`${JSON.stringify(shown.map(asJson))}\n`);
  else report(shown, options.dryRun === true);
}

function report(plans: readonly PrunePlan[], isDryRun: boolean): void {
  for (const { workspace, expired, garbage, totalBytes, freedBytes } of plans) {
    process.stdout.write(
      `${workspace}: ${counted(expired.length, 'snapshot')}${isDryRun ? ' would be deleted' : ' deleted'}` +
        ` (${byteText(freedBytes)} of ${byteText(totalBytes)})` +
        `${garbage.length > 0 ? `, and ${counted(garbage.length, 'leftover')}` : ''}\n`,
    );
  }
  if (plans.length === 0) process.stdout.write('Nothing to prune.\n');
}

function asJson({ workspace, expired, garbage, totalBytes, freedBytes }: PrunePlan) {
  return {
    workspace,
    totalBytes,
    freedBytes,
    garbage: garbage.length,
    expired: expired.map(({ snapshot, because }) => ({
      session: snapshot.sessionId,
      id: Number(snapshot.id),
      because,
    })),
  };
}
