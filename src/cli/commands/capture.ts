import { Argument, Command } from 'commander';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { setCapture } from '../../sessions/node/setCapture.ts';
import { SESSION_ID } from '../descriptions.ts';

export function captureCommand(): Command {
  return new Command('capture')
    .description('Pause or resume capture of agent activity and input in a running session')
    .argument('<session>', SESSION_ID)
    .addArgument(
      new Argument('<state>', 'Resume (on) or pause (off) capture').choices(['on', 'off']),
    )
    .addHelpText(
      'after',
      '\nWhile capture is off, only the terminal output is recorded. Activity and input of that time are not added later.',
    )
    .action(async (id: string, state: string) => {
      await setCapture(await new Catalogue().find(id), state === 'on');
    });
}
