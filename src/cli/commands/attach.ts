import { Command } from 'commander';
import { UserError } from '../../base/errors.ts';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { exitCodeOf, passThrough } from '../terminalClient.ts';

const CTRL_RIGHT_BRACKET = 0x1d;

export function attachCommand(): Command {
  return new Command('attach')
    .description('join a running session; Ctrl-] leaves it running and returns')
    .argument('<session>', 'id of the session, or its beginning or end')
    .option('--no-detach-key', 'pass Ctrl-] on to the program like any other key')
    .action(attach);
}

async function attach(id: string, options: { detachKey: boolean }): Promise<void> {
  const { meta } = await new Catalogue().find(id);
  const client = await RecorderClient.connect(meta.hostSocket);
  const end = await passThrough(client, {
    from: 'state',
    ...(options.detachKey && { detachKey: CTRL_RIGHT_BRACKET }),
  });
  if (end === 'detached') {
    process.stderr.write(
      `\r\nLeft session ${meta.id} running. Back to it: ah agent attach ${meta.id}\r\n`,
    );
  } else if (end === 'lost') {
    throw new UserError(
      'host-lost',
      `The recorder stopped unexpectedly. What it wrote is in ${meta.recording}.`,
    );
  } else {
    process.exitCode = exitCodeOf(end);
  }
}
