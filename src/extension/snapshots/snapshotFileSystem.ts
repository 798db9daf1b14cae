import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { FileKind } from '../../snapshots/common/ports.ts';
import type { SnapshotTree } from '../../snapshots/common/provider.ts';
import { relativeTo } from '../../snapshots/common/posixPath.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import { parseSnapshotUri, SNAPSHOT_SCHEME } from './snapshotUri.ts';

const FILE_TYPES: Record<FileKind, vscode.FileType> = {
  file: vscode.FileType.File,
  folder: vscode.FileType.Directory,
  // Its target as text: following it would lead into files of another time.
  symlink: vscode.FileType.File,
  other: vscode.FileType.Unknown,
};

/** Lets the editor read snapshots as if they were folders. */
export class SnapshotFileSystem implements vscode.FileSystemProvider {
  readonly #opened: OpenedSnapshots;
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  /** Never: the past does not change. */
  readonly onDidChangeFile = this.#changes.event;

  constructor(opened: OpenedSnapshots) {
    this.#opened = opened;
  }

  static register(opened: OpenedSnapshots): vscode.Disposable {
    const isReadonly = new vscode.MarkdownString(
      vscode.l10n.t('This is how the file was. To work from here, branch from this moment.'),
    );
    const system = new SnapshotFileSystem(opened);
    return vscode.workspace.registerFileSystemProvider(SNAPSHOT_SCHEME, system, { isReadonly });
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.#read(uri, async (tree, path) => {
      const { kind, size } = await tree.stat(path);
      const permissions = vscode.FilePermission.Readonly;
      return { type: FILE_TYPES[kind], size, ctime: 0, mtime: 0, permissions };
    });
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.#read(uri, async (tree, path) => {
      const entries = await tree.list(path);
      return entries.map(({ name, kind }) => [name, FILE_TYPES[kind]]);
    });
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#read(uri, (tree, path) => tree.read(path));
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  async #read<T>(
    uri: vscode.Uri,
    read: (tree: SnapshotTree, path: string) => Promise<T>,
  ): Promise<T> {
    const place = parseSnapshotUri(uri);
    if (!place) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      const path = relativeTo(await this.#opened.workspace(place.sessionId), place.file);
      if (path === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return await read(await this.#opened.tree(place), path);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (error.code === 'not-in-snapshot') throw vscode.FileSystemError.FileNotFound(uri);
      throw vscode.FileSystemError.Unavailable(error.message);
    }
  }
}
