import { Command } from 'commander';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { passThrough, setExitCode } from '../terminal/terminalClient.ts';
import { SESSION_ID } from '../descriptions.ts';

const CTRL_RIGHT_BRACKET = 0x1d;

export function attachCommand(): Command {
  return new Command('attach')
    .description('Show a running session in this terminal; Ctrl-] detaches')
    .argument('<session>', SESSION_ID)
    .option('--no-detach-key', 'Send Ctrl-] to the program instead of detaching')
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
      `\r\nDetached; session ${meta.id} keeps running. To reattach: ah agent attach ${meta.id}\r\n`,
    );
  } else {
    setExitCode(end, meta.recording);
  }
}
