import { Command } from 'commander';
import { UserError } from '../../../base/errors.ts';
import { BranchRegistry } from '../../../node/branching/branchRegistry.ts';
import { Catalogue } from '../../../node/sessions/catalogue.ts';
import { runBranch } from './runBranch.ts';
import { UNREVIEWED_HOOKS, type UnreviewedHooksOption } from '../unreviewedHooks.ts';

export function startCommand(distFolder: string): Command {
  return new Command('start')
    .description('start the agent of a branch that was made without')
    .argument('<branch>', 'its name, folder or id')
    .option(...UNREVIEWED_HOOKS)
    .action(async (which: string, options: UnreviewedHooksOption) => {
      const record = await new BranchRegistry().find(which);
      if (await new Catalogue().get(record.id).catch(() => undefined)) {
        throw new UserError(
          'started-before',
          `The branch “${record.name}” has been started before. See it: ah agent attach ${record.id}`,
        );
      }
      await runBranch(distFolder, record, options);
    });
}
