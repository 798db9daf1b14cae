import * as vscode from 'vscode';
import { allPaths } from '../../snapshots/node/exportTree.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { SnapshotChooser } from './snapshotChooser.ts';
import { parseSnapshotUri, snapshotUri } from './snapshotUri.ts';

/** A list with more is of no use to anybody, and slows the editor down. */
const MAX_FILES = 200_000;

type WhichSnapshot = { readonly sessionId: string; readonly snapshotId: bigint };

/** Opens a file of a snapshot by its name: the editor's own "Go to File" knows files of the disk alone. */
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
    const workspace = await this.#opened.workspace(which.sessionId);
    const uri = snapshotUri({ ...which, file: `${workspace}/${path}` });
    await vscode.commands.executeCommand('vscode.open', uri);
  }

  async #choose(argument: unknown): Promise<WhichSnapshot | undefined> {
    const placeHolder = vscode.l10n.t('A file of which snapshot?');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    return chosen && { sessionId: chosen.session.meta.id, snapshotId: chosen.line.id };
  }

  /** The list is there at once, and grows. */
  #pick(which: WhichSnapshot): Promise<string | undefined> {
    const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { path: string }>();
    picker.placeholder = vscode.l10n.t('Go to a file of the snapshot');
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
        // Seldom: each time the editor sorts through all of them.
        if (items.length === 1000) picker.items = [...items];
      }
      if (!isOpen) return;
      picker.items = items;
      picker.busy = false;
    };
    return Promise.race([picked, fill().then(() => picked)]);
  }
}

/** The one in front, or the only one that is a folder of this window. */
function shownSnapshot(): WhichSnapshot | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const front = active && parseSnapshotUri(active);
  if (front) return front;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const shown = folders.flatMap(({ uri }) => parseSnapshotUri(uri) ?? []);
  return shown.length === 1 ? shown[0] : undefined;
}

function itemOf(path: string): vscode.QuickPickItem & { path: string } {
  const slash = path.lastIndexOf('/');
  return {
    path,
    label: path.slice(slash + 1),
    ...(slash > 0 && { description: path.slice(0, slash) }),
  };
}
