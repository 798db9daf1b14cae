import path from 'node:path';
import { Command } from 'commander';
import { findSnapshotProvider } from '../../../node/snapshotProviders.ts';
import { workspaceOf } from '../../../node/workspaceOf.ts';

export function statusCommand(): Command {
  return new Command('status')
    .description('how the files of a folder can be kept, and why not in other ways')
    .argument('[folder]', 'default: the repository or folder we are in')
    .option('--json', 'for programs')
    .action(status);
}

async function status(folder: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const workspace = folder === undefined ? workspaceOf(process.cwd()) : path.resolve(folder);
  const { provider, refusals } = await findSnapshotProvider(workspace);
  provider?.dispose();
  if (json) {
    const facts = { workspace, provider: provider?.name ?? null, refusals };
    process.stdout.write(`${JSON.stringify(facts)}\n`);
    return;
  }
  process.stdout.write(
    provider
      ? `The files of ${workspace} are kept with ${provider.name}.\n`
      : `The files of ${workspace} cannot be kept.\n`,
  );
  for (const { name, reason } of refusals) process.stdout.write(`  ${name}: ${reason}\n`);
}
