import { Command } from 'commander';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { setPaused } from '../../sessions/node/setPaused.ts';
import { SESSION_ID } from '../descriptions.ts';

export function pauseCommand(): Command {
  return new Command('pause')
    .description('Pause the recording of a running session, for example before showing a secret')
    .argument('<session>', SESSION_ID)
    .addHelpText(
      'after',
      '\nUntil you resume, no output, input, agent activity or snapshot is stored. The program keeps running. Other sessions in the same folder still take snapshots.',
    )
    .action(async (id: string) => {
      const session = await new Catalogue().find(id);
      await setPaused(session, true);
      const { id: whole } = session.meta;
      process.stdout.write(
        `Recording of session ${whole} is paused. To resume: ah agent resume ${whole}\n`,
      );
    });
}

export function resumeCommand(): Command {
  return new Command('resume')
    .description('Resume the recording of a paused session')
    .argument('<session>', SESSION_ID)
    .action(async (id: string) => {
      const session = await new Catalogue().find(id);
      await setPaused(session, false);
      process.stdout.write(`Session ${session.meta.id} is recorded again.\n`);
    });
}
