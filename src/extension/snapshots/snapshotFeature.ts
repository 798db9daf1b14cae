import * as vscode from 'vscode';
import type { Catalogue } from '../../sessions/node/catalogue.ts';
import { openKeptProviders } from '../../snapshots/node/keptProviders.ts';
import { sessionCost, type SnapshotCost } from '../../snapshots/node/snapshotCosts.ts';
import { COMMANDS, type CommandId } from '../contributions.ts';
import type { CommandHandler } from '../commandRegistry.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import { OpenedSnapshots } from './openedSnapshots.ts';
import { GoToFile } from './goToFile.ts';
import { Pruning } from './pruning.ts';
import { RestoreCommand } from './restoreCommand.ts';
import { SnapshotChooser } from './snapshotChooser.ts';
import { SnapshotCommands } from './snapshotCommands.ts';
import { SnapshotFolders } from './snapshotFolders.ts';
import { SnapshotFileSystem } from './snapshotFileSystem.ts';

type SnapshotCommandId = Extract<CommandId, `ah.${string}${'Snapshot' | 'Snapshots' | 'Restore'}`>;

/** Everything the editor offers for the files of a moment. */
export class SnapshotFeature implements vscode.Disposable {
  readonly handlers: Readonly<Record<SnapshotCommandId, CommandHandler>>;
  readonly opened: OpenedSnapshots;
  readonly chooser: SnapshotChooser;
  readonly #resources: vscode.Disposable;

  constructor(catalogue: Catalogue, sessions: SessionChooser, log: vscode.LogOutputChannel) {
    const opened = new OpenedSnapshots(catalogue);
    const chooser = new SnapshotChooser(sessions, opened);
    const folders = new SnapshotFolders(catalogue);
    const commands = new SnapshotCommands(sessions, chooser, opened, folders);
    const goToFile = new GoToFile(chooser, opened);
    const restore = new RestoreCommand(chooser, opened);
    this.opened = opened;
    this.chooser = chooser;
    this.#resources = vscode.Disposable.from(
      SnapshotFileSystem.register(opened),
      opened,
      folders,
      new Pruning(catalogue, log),
    );
    this.handlers = {
      [COMMANDS.takeSnapshot]: (argument) => commands.take(argument),
      [COMMANDS.openSnapshot]: (argument) => commands.open(argument),
      [COMMANDS.openFileOfSnapshot]: (argument) => goToFile.run(argument),
      [COMMANDS.compareSnapshot]: (argument) => commands.compareWithWorkspace(argument),
      [COMMANDS.showChangesOfSnapshot]: (argument) => commands.compareWithPrevious(argument),
      [COMMANDS.compareSnapshots]: (argument) => commands.compareTwo(argument),
      [COMMANDS.pinSnapshot]: (argument) => commands.pin(argument),
      [COMMANDS.restoreSnapshot]: (argument) => restore.restore(argument),
      [COMMANDS.undoRestore]: (argument) => restore.undo(argument),
    };
  }

  /** What the files of a session cost; nothing when that cannot be told. */
  async costOf(session: Session, signal: AbortSignal): Promise<SnapshotCost | undefined> {
    if (session.meta.workspace === undefined) return undefined;
    try {
      const { providers } = await openKeptProviders(session.meta.workspace);
      try {
        return await sessionCost(session, providers, signal);
      } finally {
        for (const provider of providers) provider.dispose();
      }
    } catch {
      return undefined;
    }
  }

  dispose(): void {
    this.#resources.dispose();
  }
}
