import type * as vscode from 'vscode';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { knownMemory } from '../../branching/node/memory/knownMemory.ts';
import type { CommandHandler } from '../commandRegistry.ts';
import { COMMANDS, type CommandId } from '../contributions.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';
import type { SnapshotFeature } from '../snapshots/snapshotFeature.ts';
import { BranchChooser } from './branchChooser.ts';
import { BranchCommands, type ShowTimeline } from './branchCommands.ts';
import { BranchHere } from './branchHere.ts';
import { BranchStarter } from './branchStarter.ts';
import { TakeBackCommand } from './takeBackCommand.ts';

type BranchCommandId = Extract<
  CommandId,
  `ah.${string}${'Branch' | 'Branches' | 'ranchHere' | 'ParentMoment'}`
>;

export interface BranchSurroundings {
  readonly store: SessionStore;
  readonly terminals: SessionTerminals;
  readonly chooser: SessionChooser;
  readonly showTimeline: ShowTimeline;
  readonly snapshots: SnapshotFeature;
  readonly log: vscode.LogOutputChannel;
}

/** Everything the editor offers for branches. */
export class BranchFeature implements vscode.Disposable {
  readonly handlers: Readonly<Record<BranchCommandId, CommandHandler>>;
  readonly starter: BranchStarter;

  constructor({ store, terminals, chooser, showTimeline, snapshots, log }: BranchSurroundings) {
    const registry = new BranchRegistry();
    this.starter = new BranchStarter(registry, terminals, log);
    const parts = { registry, memory: knownMemory };
    const here = new BranchHere(store, snapshots.opened, snapshots.chooser, parts);
    const commands = new BranchCommands(
      store,
      registry,
      new BranchChooser(chooser, registry),
      showTimeline,
      new TakeBackCommand(snapshots.opened),
    );
    this.handlers = {
      [COMMANDS.branchHere]: (argument) => here.run(argument),
      [COMMANDS.goToParentMoment]: (argument) => commands.goToParent(argument),
      [COMMANDS.showBranches]: (argument) => commands.showBranches(argument),
      [COMMANDS.openBranch]: (argument) => commands.open(argument),
      [COMMANDS.takeBackBranch]: (argument) => commands.takeBack(argument),
      [COMMANDS.discardBranch]: (argument) => commands.discard(argument),
    };
  }

  dispose(): void {
    this.starter.dispose();
  }
}
