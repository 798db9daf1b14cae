import * as vscode from 'vscode';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { knownMemory } from '../../branching/node/memory/knownMemory.ts';
import { registerCommands } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import type { Services } from '../services.ts';
import { keepBranchContext } from './branchContext.ts';
import { BranchChooser } from './branchChooser.ts';
import { BranchDecorations } from './branchDecorations.ts';
import { BranchCommands } from './branchCommands.ts';
import { BranchHere } from './branchHere.ts';
import { BranchStarter } from './branchStarter.ts';
import { ApplyCommand } from './applyCommand.ts';

/** Registers the commands for branches, and starts the branches that wait for this window. */
export function registerBranches(
  _context: vscode.ExtensionContext,
  services: Services,
): vscode.Disposable {
  const { store, terminals, chooser, timelines, openedSnapshots, snapshotChooser } = services;
  const { comparisons, review, log } = services;
  const registry = new BranchRegistry();
  const starter = new BranchStarter(registry, terminals, store, log);
  const parts = { registry, memory: knownMemory };
  const here = new BranchHere(store, openedSnapshots, snapshotChooser, parts, starter);
  const commands = new BranchCommands(
    store,
    registry,
    new BranchChooser(chooser, registry),
    (session, at) => timelines.show(session, at),
    new ApplyCommand(openedSnapshots, review),
  );
  void starter.startWaiting();
  return vscode.Disposable.from(
    starter,
    keepBranchContext(registry),
    new BranchDecorations(registry, store, openedSnapshots, comparisons),
    registerCommands(
      {
        [COMMANDS.branchHere]: (argument) => here.run(argument),
        [COMMANDS.goToParentMoment]: (argument) => commands.goToParent(argument),
        [COMMANDS.showBranches]: (argument) => commands.showBranches(argument),
        [COMMANDS.openBranch]: (argument) => commands.open(argument),
        [COMMANDS.takeBackBranch]: (argument) => commands.apply(argument),
        [COMMANDS.discardBranch]: (argument) => commands.discard(argument),
      },
      log,
    ),
  );
}
