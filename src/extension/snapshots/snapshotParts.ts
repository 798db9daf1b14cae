import * as vscode from 'vscode';
import type { Catalogue } from '../../node/catalogue.ts';
import { COMMANDS, type CommandId } from '../contributions.ts';
import type { CommandHandler } from '../commandRegistry.ts';
import type { SessionChooser } from '../sessionChooser.ts';
import { OpenedSnapshots } from './openedSnapshots.ts';
import { RestoreCommand } from './restoreCommand.ts';
import { SnapshotChooser } from './snapshotChooser.ts';
import { SnapshotCommands } from './snapshotCommands.ts';
import { SnapshotFileSystem } from './snapshotFileSystem.ts';

type SnapshotCommandId = Extract<CommandId, `ah.${string}${'Snapshot' | 'Snapshots' | 'Restore'}`>;

/** Everything the editor offers for the files of a moment. */
export class SnapshotParts implements vscode.Disposable {
  readonly handlers: Readonly<Record<SnapshotCommandId, CommandHandler>>;
  readonly opened: OpenedSnapshots;
  readonly chooser: SnapshotChooser;
  readonly #resources: vscode.Disposable;

  constructor(catalogue: Catalogue, sessions: SessionChooser) {
    const opened = new OpenedSnapshots(catalogue);
    const chooser = new SnapshotChooser(sessions, opened);
    const commands = new SnapshotCommands(sessions, chooser, opened);
    const restore = new RestoreCommand(chooser, opened);
    this.opened = opened;
    this.chooser = chooser;
    this.#resources = vscode.Disposable.from(SnapshotFileSystem.register(opened), opened);
    this.handlers = {
      [COMMANDS.takeSnapshot]: (argument) => commands.take(argument),
      [COMMANDS.openSnapshot]: (argument) => commands.open(argument),
      [COMMANDS.compareSnapshot]: (argument) => commands.compareWithWorkspace(argument),
      [COMMANDS.showChangesOfSnapshot]: (argument) => commands.compareWithPrevious(argument),
      [COMMANDS.compareSnapshots]: (argument) => commands.compareTwo(argument),
      [COMMANDS.pinSnapshot]: (argument) => commands.pin(argument),
      [COMMANDS.restoreSnapshot]: (argument) => restore.restore(argument),
      [COMMANDS.undoRestore]: (argument) => restore.undo(argument),
    };
  }

  dispose(): void {
    this.#resources.dispose();
  }
}
