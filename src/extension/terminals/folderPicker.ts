import path from 'node:path';
import * as vscode from 'vscode';
import { lastFirst } from './lastFirst.ts';

const LAST_FOLDER = 'recordedFolder';

/** In a workspace of several folders, asks where to record; the last choice comes first. */
export class FolderPicker {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /**
   * @returns undefined if the user cancelled; an empty object if there are fewer than two folders
   */
  async pick(): Promise<{ readonly cwd?: string } | undefined> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      ({ uri }) => uri.scheme === 'file',
    );
    if (folders.length < 2) return {};
    const last = this.#state.get<string>(LAST_FOLDER);
    const items = lastFirst(folders, ({ uri }) => uri.fsPath === last).map(({ name, uri }) => ({
      label: name,
      description: uri.fsPath === last ? vscode.l10n.t('last used') : '',
      detail: path.dirname(uri.fsPath),
      iconPath: vscode.ThemeIcon.Folder,
      cwd: uri.fsPath,
    }));
    const item = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Record Agent'),
      placeHolder: vscode.l10n.t('Select the folder to record in'),
      matchOnDetail: true,
    });
    if (!item) return undefined;
    await this.#state.update(LAST_FOLDER, item.cwd);
    return { cwd: item.cwd };
  }
}
