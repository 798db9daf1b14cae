import * as vscode from 'vscode';
import { Sequencer } from '../../base/sequencer.ts';
import type { Catalogue } from '../../sessions/node/catalogue.ts';
import { forgetOpened, listOpened, noteOpened } from '../../snapshots/node/list/openedSnapshots.ts';
import { parseSnapshotUri } from './snapshotUri.ts';

type Opened = { readonly sessionFolder: string; readonly id: bigint };

/** Notes which snapshots this window shows as folders, so that pruning keeps them. */
export class SnapshotFolders implements vscode.Disposable {
  readonly #catalogue: Catalogue;
  readonly #order = new Sequencer();
  readonly #noted = new Map<string, Opened>();
  readonly #listener: vscode.Disposable;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#listener = vscode.workspace.onDidChangeWorkspaceFolders(() => this.#update());
    this.#update();
  }

  /**
   * Notes a snapshot. Call this before opening a folder on disk, whose URI does not tell the
   * snapshot.
   */
  async note(opened: Opened, uri: vscode.Uri): Promise<void> {
    await noteOpened({ ...opened, address: uri.toString() });
    this.#noted.set(uri.toString(), opened);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #update(): void {
    const folders = vscode.workspace.workspaceFolders ?? [];
    // If a session is unknown or its notes can't be read, nothing is noted.
    void this.#order.queue(() => this.#noteAll(folders.map(({ uri }) => uri))).catch(() => {});
  }

  async #noteAll(uris: readonly vscode.Uri[]): Promise<void> {
    const shown = new Set(uris.map((uri) => uri.toString()));
    for (const uri of uris) {
      const address = uri.toString();
      if (this.#noted.has(address)) continue;
      const opened = await this.#find(uri);
      if (opened) await this.note(opened, uri);
    }
    for (const [address, opened] of this.#noted) {
      if (shown.has(address)) continue;
      this.#noted.delete(address);
      await forgetOpened(opened);
    }
  }

  async #find(uri: vscode.Uri): Promise<Opened | undefined> {
    const place = parseSnapshotUri(uri);
    if (place) {
      const { folder } = await this.#catalogue.find(place.sessionId);
      return { sessionFolder: folder, id: place.snapshotId };
    }
    if (!/\.ah-snapshots|\.zfs|\/snapshot-folders\//.test(uri.path)) return undefined;
    for (const { folder } of await this.#catalogue.list()) {
      const found = (await listOpened(folder)).find(({ address }) => address === uri.toString());
      if (found) return found;
    }
    return undefined;
  }
}
