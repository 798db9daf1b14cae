import path from 'node:path';
import { Command } from 'commander';
import { byteText } from '../../../base/byteText.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import {
  sessionCost,
  workspaceCost,
  type SnapshotCost,
} from '../../../snapshots/node/prune/snapshotCosts.ts';
import {
  openExistingProviders,
  selectSnapshotProvider,
} from '../../../snapshots/node/open/openProviders.ts';
import { workspaceOf } from '../../../snapshots/node/open/workspaceOf.ts';
import { isSamePlace } from '../../../snapshots/node/open/workspacePlace.ts';
import type { SnapshotProvider } from '../../../snapshots/common/provider.ts';
import { DEFAULT_RETENTION } from '../../../snapshots/common/retention.ts';
import { counted, formatTable } from '../../formatting.ts';
import { JSON_OUTPUT } from '../../descriptions.ts';

export function statusCommand(): Command {
  return new Command('status')
    .description(
      'Show how snapshots of a folder are stored, why other ways are not used, and their size',
    )
    .argument('[folder]', 'The folder (default: the current repository or folder)')
    .option('--json', JSON_OUTPUT)
    .action(status);
}

interface Costs {
  readonly all: SnapshotCost;
  readonly sessions: readonly ({ readonly id: string } & SnapshotCost)[];
}

async function status(folder: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const workspace = folder === undefined ? workspaceOf(process.cwd()) : path.resolve(folder);
  const { provider, refusals } = await selectSnapshotProvider(workspace);
  provider?.dispose();
  const costs = await costsOf(workspace);
  if (json) {
    const facts = {
      workspace,
      provider: provider?.name ?? null,
      refusals,
      ...costs.all,
      sessions: costs.sessions,
    };
    process.stdout.write(`${JSON.stringify(facts)}\n`);
    return;
  }
  process.stdout.write(
    provider
      ? `Snapshots of ${workspace} are stored with ${provider.name}.\n`
      : `Snapshots of ${workspace} are not possible.\n`,
  );
  for (const { name, reason } of refusals) process.stdout.write(`  ${name}: ${reason}\n`);
  if (provider || costs.all.count > 0) printCosts(costs);
}

/**
 * Counts the snapshots of all providers: earlier ones may be stored with another provider than new
 * ones.
 */
async function costsOf(workspace: string): Promise<Costs> {
  const { providers } = await openExistingProviders(workspace);
  try {
    return await costsWith(providers, workspace);
  } finally {
    for (const provider of providers) provider.dispose();
  }
}

async function costsWith(
  providers: readonly SnapshotProvider[],
  workspace: string,
): Promise<Costs> {
  const all = await workspaceCost(providers);
  const sessions: ({ id: string } & SnapshotCost)[] = [];
  for (const session of await new Catalogue().list()) {
    const folder = session.meta.workspace;
    if (folder === undefined || !(await isSamePlace(folder, workspace))) continue;
    const cost = await sessionCost(session, providers);
    if (cost.count > 0) sessions.push({ id: session.meta.id, ...cost });
  }
  return { all, sessions };
}

function printCosts({ all, sessions }: Costs): void {
  const limit = `limit ${byteText(DEFAULT_RETENTION.maxBytes)}`;
  process.stdout.write(
    `${counted(all.count, 'snapshot')}, ${byteText(all.bytes)} (${limit}; to delete the oldest: ah agent fs prune)\n`,
  );
  if (sessions.length === 0) return;
  const rows = sessions.map(({ id, count, bytes }) => [id, String(count), byteText(bytes)]);
  const header = ['SESSION', 'SNAPSHOTS', 'ALONE'];
  process.stdout.write(`${formatTable([header, ...rows])}\n`);
}
