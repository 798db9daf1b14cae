import { Command } from 'commander';
import { BranchRegistry } from '../../../branching/node/branchRegistry.ts';
import { runBranch } from './runBranch.ts';
import { UNREVIEWED_HOOKS, type UnreviewedHooksOption } from '../unreviewedHooks.ts';
import { BRANCH_NAME } from '../../descriptions.ts';

export function startCommand(distFolder: string): Command {
  return new Command('start')
    .description('Start the agent of a branch that was created with --no-launch')
    .argument('<branch>', BRANCH_NAME)
    .option(...UNREVIEWED_HOOKS)
    .action(async (which: string, options: UnreviewedHooksOption) => {
      await runBranch(distFolder, await new BranchRegistry().find(which), options);
    });
}
