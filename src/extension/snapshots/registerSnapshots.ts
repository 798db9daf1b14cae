import * as vscode from 'vscode';
import { registerCommands } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import type { Services } from '../services.ts';
import { reviewCommands } from '../review/reviewView.ts';
import { GoToFile } from './goToFile.ts';
import { Pruning } from './pruning.ts';
import { RestoreCommand } from './restoreCommand.ts';
import { SnapshotCommands } from './snapshotCommands.ts';
import { SnapshotFileSystem } from './snapshotFileSystem.ts';
import { SnapshotFolders } from './snapshotFolders.ts';

/** Opens, compares, pins, restores and prunes snapshots. */
export function registerSnapshots(
  _context: vscode.ExtensionContext,
  { log, catalogue, chooser, openedSnapshots: opened, snapshotChooser, review }: Services,
): vscode.Disposable {
  const folders = new SnapshotFolders(catalogue);
  const commands = new SnapshotCommands(chooser, snapshotChooser, opened, folders);
  const goToFile = new GoToFile(snapshotChooser, opened);
  const restore = new RestoreCommand(snapshotChooser, opened, review);
  return vscode.Disposable.from(
    SnapshotFileSystem.register(opened),
    folders,
    new Pruning(catalogue, log),
    registerCommands(
      {
        [COMMANDS.takeSnapshot]: (argument) => commands.take(argument),
        [COMMANDS.openSnapshot]: (argument) => commands.open(argument),
        [COMMANDS.openFileOfSnapshot]: (argument) => goToFile.run(argument),
        [COMMANDS.compareSnapshot]: (argument) => commands.compareWithWorkspace(argument),
        [COMMANDS.showChangesOfSnapshot]: (argument) => commands.compareWithPrevious(argument),
        [COMMANDS.compareSnapshots]: (argument) => commands.compareTwo(argument),
        [COMMANDS.pinSnapshot]: (argument) => commands.pin(argument),
        [COMMANDS.restoreSnapshot]: (argument) => restore.restore(argument),
        [COMMANDS.undoRestore]: (argument) => restore.undo(argument),
        ...reviewCommands(review),
      },
      log,
    ),
  );
}
