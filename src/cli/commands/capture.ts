import { Argument, Command } from 'commander';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { setCapture } from '../../sessions/node/setCapture.ts';

export function captureCommand(): Command {
  return new Command('capture')
    .description('keep nothing but the terminal of a running session, or the rest again')
    .argument('<session>', 'id of the session, or its beginning or end')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .addHelpText(
      'after',
      '\nWhile it is off, what the agent does and what is typed is not kept, nor told later; its terminal is still recorded.',
    )
    .action(async (id: string, state: string) => {
      await setCapture(await new Catalogue().find(id), state === 'on');
    });
}
