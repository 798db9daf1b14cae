import { Command } from 'commander';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { runBranch } from './runBranch.ts';
import { UNREVIEWED_HOOKS, type UnreviewedHooksOption } from '../unreviewedHooks.ts';

export function startCommand(distFolder: string): Command {
  return new Command('start')
    .description('start the agent of a branch that was made without')
    .argument('<branch>', 'its name, folder or id')
    .option(...UNREVIEWED_HOOKS)
    .action(async (which: string, options: UnreviewedHooksOption) => {
      await runBranch(distFolder, await new BranchRegistry().find(which), options);
    });
}
