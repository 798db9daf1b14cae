import * as vscode from 'vscode';
import { allPaths } from '../../snapshots/node/restore/exportTree.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { SnapshotChooser } from './snapshotChooser.ts';
import { parseSnapshotUri, snapshotUri, type SnapshotKey } from './snapshotUri.ts';

/** A longer list would slow VS Code down. */
const MAX_FILES = 200_000;

/**
 * Lets the user open a file of a snapshot by name, because "Go to File" finds only files on disk.
 */
export class GoToFile {
  readonly #chooser: SnapshotChooser;
  readonly #opened: OpenedSnapshots;

  constructor(chooser: SnapshotChooser, opened: OpenedSnapshots) {
    this.#chooser = chooser;
    this.#opened = opened;
  }

  async run(argument: unknown): Promise<void> {
    const which = (argument === undefined && shownSnapshot()) || (await this.#choose(argument));
    if (!which) return;
    const path = await this.#pick(which);
    if (path === undefined) return;
    await vscode.commands.executeCommand('vscode.open', await this.#uriOf(which, path));
  }

  /**
   * The file's URI. If the window shows the snapshot as a folder, the URI is in that folder, so
   * that the explorer reveals the file.
   */
  async #uriOf(which: SnapshotKey, path: string): Promise<vscode.Uri> {
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => shows(uri, which));
    if (folder) return vscode.Uri.joinPath(folder.uri, path);
    const workspace = await this.#opened.workspace(which.sessionId);
    return snapshotUri({ ...which, file: `${workspace}/${path}` });
  }

  async #choose(argument: unknown): Promise<SnapshotKey | undefined> {
    const placeHolder = vscode.l10n.t('Select the snapshot that contains the file');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    return chosen && { sessionId: chosen.session.meta.id, snapshotId: chosen.line.id };
  }

  /** Shows the list immediately and fills it while reading the snapshot. */
  #pick(which: SnapshotKey): Promise<string | undefined> {
    const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { path: string }>();
    picker.placeholder = vscode.l10n.t('Type the name of a file in the snapshot');
    picker.matchOnDescription = true;
    picker.busy = true;
    let isOpen = true;
    const picked = new Promise<string | undefined>((resolve) => {
      picker.onDidAccept(() => {
        resolve(picker.selectedItems[0]?.path);
        picker.hide();
      });
      picker.onDidHide(() => {
        isOpen = false;
        resolve(undefined);
        picker.dispose();
      });
    });
    picker.show();
    const fill = async () => {
      const items: (vscode.QuickPickItem & { path: string })[] = [];
      for await (const path of allPaths(await this.#opened.tree(which))) {
        if (!isOpen || items.length >= MAX_FILES) break;
        items.push(itemOf(path));
        // Update the list only once in between, because VS Code then sorts all items.
        if (items.length === 1000) picker.items = [...items];
      }
      if (!isOpen) return;
      picker.items = items;
      picker.busy = false;
    };
    return Promise.race([picked, fill().then(() => picked)]);
  }
}

/** The snapshot that the active editor shows, or the only one among the workspace folders. */
function shownSnapshot(): SnapshotKey | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const front = active && parseSnapshotUri(active);
  if (front) return front;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const shown = folders.flatMap(({ uri }) => parseSnapshotUri(uri) ?? []);
  return shown.length === 1 ? shown[0] : undefined;
}

function shows(uri: vscode.Uri, { sessionId, snapshotId }: SnapshotKey): boolean {
  const shown = parseSnapshotUri(uri);
  return shown?.sessionId === sessionId && shown.snapshotId === snapshotId;
}

function itemOf(path: string): vscode.QuickPickItem & { path: string } {
  const slash = path.lastIndexOf('/');
  return {
    path,
    label: path.slice(slash + 1),
    ...(slash > 0 && { description: path.slice(0, slash) }),
  };
}
