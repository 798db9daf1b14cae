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
      const registry = new BranchRegistry();
      const record = await registry.find(which);
      const isStarted = (await new Catalogue().get(record.id).catch(() => undefined)) !== undefined;
      // One that waits for a window of the editor waits no longer; unless that has just come.
      const isWaiting = !isStarted && record.launch?.isWaiting === true;
      const isOthers = isWaiting && !(await registry.claimLaunch(record.id));
      if (isStarted || isOthers) {
        throw new UserError(
          'started-before',
          `The branch “${record.name}” has been started before. See it: ah agent attach ${record.id}`,
        );
      }
      await runBranch(distFolder, record, options);
    });
}
