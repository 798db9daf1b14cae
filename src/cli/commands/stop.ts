import { Command } from 'commander';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';

export function stopCommand(): Command {
  return new Command('stop')
    .description('end the program of a running session; its recording is completed and kept')
    .argument('<session>', 'id of the session, or its beginning or end')
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
