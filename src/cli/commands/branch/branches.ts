import { Command } from 'commander';
import type { BranchRecord } from '../../../branching/common/branchRecord.ts';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { isThere } from '../../../branching/node/branchPlace.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import { formatTable, formatTime, printable } from '../../formatting.ts';
import { branchJson } from './branchText.ts';

export function branchesCommand(): Command {
  return new Command('branches')
    .description('list all branches, and what is left of interrupted ones')
    .option('--session <id>', 'only those of this session')
    .option('--json', 'for programs')
    .action(branches);
}

async function branches(options: { session?: string; json?: boolean }): Promise<void> {
  const registry = new BranchRegistry();
  const catalogue = new Catalogue();
  const wanted = options.session && (await catalogue.find(options.session)).meta.id;
  const records = (await registry.list()).filter(
    ({ from }) => !wanted || from.sessionId === wanted,
  );
  const states = await Promise.all(records.map((record) => stateOf(record, registry, catalogue)));
  if (options.json) {
    const parts = records.map((record, index) => {
      const json = branchJson(record, states[index] !== 'not started');
      return `${json.slice(0, -1)},"stateText":${JSON.stringify(states[index])}}`;
    });
    process.stdout.write(`[${parts.join(',')}]\n`);
    return;
  }
  if (records.length === 0) {
    process.stdout.write('No branches yet. Make one: ah agent branch --session S --snapshot N\n');
    return;
  }
  const rows = records.map((record, index) => [
    printable(record.name),
    states[index]!,
    formatTime(record.createdAtNs),
    `${record.from.sessionId} #${record.from.snapshotId}`,
    printable(record.workspace),
  ]);
  process.stdout.write(`${formatTable([['NAME', 'STATE', 'MADE', 'FROM', 'FOLDER'], ...rows])}\n`);
}

async function stateOf(
  record: BranchRecord,
  registry: BranchRegistry,
  catalogue: Catalogue,
): Promise<string> {
  if (await registry.isLeftover(record)) return 'interrupted';
  if (record.state !== 'ready') return record.state;
  if (!isThere(record.workspace)) return 'folder gone';
  const session = await catalogue.get(record.id).catch(() => undefined);
  if (!session) return 'not started';
  const isKilled = session.meta.state === 'running' && !(await isAlive(session));
  return isKilled ? 'interrupted' : session.meta.state;
}
