import * as vscode from 'vscode';
import { registerCommands } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import type { Services } from '../services.ts';
import { reviewCommands } from '../review/reviewView.ts';
import { ChangesSince } from './changesSince.ts';
import { GoToFile } from './goToFile.ts';
import { Pruning } from './pruning.ts';
import { RestoreCommand } from './restoreCommand.ts';
import { SnapshotCommands } from './snapshotCommands.ts';
import { SnapshotFileSystem } from './snapshotFileSystem.ts';
import { SnapshotFolders } from './snapshotFolders.ts';
import { UndoChooser } from './undoChooser.ts';

/** Registers the commands for snapshots, their file system, and daily pruning. */
export function registerSnapshots(
  { workspaceState }: vscode.ExtensionContext,
  services: Services,
): vscode.Disposable {
  const { log, store, catalogue, chooser, snapshotChooser, review } = services;
  const { openedSnapshots: opened, comparisons } = services;
  const folders = new SnapshotFolders(catalogue);
  const commands = new SnapshotCommands(chooser, snapshotChooser, opened, folders);
  const goToFile = new GoToFile(snapshotChooser, opened);
  const since = new ChangesSince(snapshotChooser, opened, comparisons, workspaceState);
  const firstList = store.onDidChange(() => {
    firstList.dispose();
    void since.restore();
  });
  const undoChooser = new UndoChooser(chooser, store, catalogue);
  const restore = new RestoreCommand(snapshotChooser, undoChooser, opened, review);
  return vscode.Disposable.from(
    SnapshotFileSystem.register(opened),
    folders,
    since,
    firstList,
    new Pruning(catalogue, log),
    registerCommands(
      {
        [COMMANDS.takeSnapshot]: (argument) => commands.take(argument),
        [COMMANDS.openSnapshot]: (argument) => commands.open(argument),
        [COMMANDS.openFileOfSnapshot]: (argument) => goToFile.run(argument),
        [COMMANDS.compareSnapshot]: (argument) => commands.compareWithWorkspace(argument),
        [COMMANDS.showChangesOfSnapshot]: (argument) => commands.compareWithPrevious(argument),
        [COMMANDS.compareSnapshots]: (argument) => commands.compareTwo(argument),
        [COMMANDS.showChangesSince]: (argument) => since.show(argument),
        [COMMANDS.hideChangesSince]: () => since.hide(),
        [COMMANDS.pinSnapshot]: (argument) => commands.pin(argument),
        [COMMANDS.restoreSnapshot]: (argument) => restore.restore(argument),
        [COMMANDS.undoRestore]: (argument) => restore.undo(argument),
        ...reviewCommands(review),
      },
      log,
    ),
  );
}
