import { Command } from 'commander';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { SESSION_ID } from '../descriptions.ts';

export function stopCommand(): Command {
  return new Command('stop')
    .description('End the program of a running session; the recording is completed and kept')
    .argument('<session>', SESSION_ID)
    .action(stop);
}

async function stop(id: string): Promise<void> {
  const { meta } = await new Catalogue().find(id);
  const client = await RecorderClient.connect(meta.hostSocket);
  const closed = new Promise<void>((resolve) => client.onDidClose(() => resolve()));
  await client.stop();
  await closed;
  process.stdout.write(`Session ${meta.id} has ended.\n`);
}
