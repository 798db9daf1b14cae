import { Command } from 'commander';
import type { BranchRecord } from '../../../branching/common/branchRecord.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { pathExists } from '../../../branching/node/branchPlace.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import { formatTable, formatTime, printable } from '../../formatting.ts';
import { branchJson } from './branchText.ts';
import { JSON_OUTPUT } from '../../descriptions.ts';

export function branchesCommand(): Command {
  return new Command('branches')
    .description('List all branches, including interrupted ones')
    .option('--session <id>', 'Only branches of this session')
    .option('--json', JSON_OUTPUT)
    .action(branches);
}

async function branches(options: { session?: string; json?: boolean }): Promise<void> {
  const registry = new BranchRegistry();
  const catalogue = new Catalogue();
  const wanted = options.session && (await catalogue.find(options.session)).meta.id;
  const records = (await registry.list()).filter(
    ({ from }) => !wanted || from.sessionId === wanted,
  );
  const listed = await Promise.all(
    records.map(async (record) => ({ record, state: await stateOf(record, registry, catalogue) })),
  );
  if (options.json) {
    const parts = listed.map(({ record, state }) => {
      const json = branchJson(record, state !== 'not started');
      return `${json.slice(0, -1)},"stateText":${JSON.stringify(state)}}`;
    });
    process.stdout.write(`[${parts.join(',')}]\n`);
    return;
  }
  if (records.length === 0) {
    process.stdout.write(
      'No branches yet. To create one: ah agent branch --session S --snapshot N\n',
    );
    return;
  }
  const rows = listed.map(({ record, state }) => [
    printable(record.name),
    state,
    formatTime(record.createdAtNs),
    `${record.from.sessionId} #${record.from.snapshotId}`,
    printable(record.workspace),
  ]);
  process.stdout.write(
    `${formatTable([['NAME', 'STATE', 'CREATED', 'FROM', 'FOLDER'], ...rows])}\n`,
  );
}

async function stateOf(
  record: BranchRecord,
  registry: BranchRegistry,
  catalogue: Catalogue,
): Promise<string> {
  if (await registry.isLeftover(record)) return 'interrupted';
  if (record.state !== 'ready') return record.state;
  if (!pathExists(record.workspace)) return 'folder gone';
  // get() rejects for a branch that was never started.
  const session = await catalogue.get(record.id).catch(() => undefined);
  if (!session) return 'not started';
  const isKilled = session.meta.state === 'running' && !(await isAlive(session));
  return isKilled ? 'interrupted' : session.meta.state;
}
