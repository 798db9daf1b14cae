import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { FileKind } from '../../snapshots/common/ports.ts';
import type { SnapshotTree } from '../../snapshots/common/provider.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import { ReadOnlyFileSystem } from './readOnlyFileSystem.ts';
import { parseSnapshotUri, SNAPSHOT_SCHEME } from './snapshotUri.ts';

const FILE_TYPES: Record<FileKind, vscode.FileType> = {
  file: vscode.FileType.File,
  folder: vscode.FileType.Directory,
  // A link reads as a text file with its target: following it could leave the snapshot.
  symlink: vscode.FileType.File,
  other: vscode.FileType.Unknown,
};

/** A read-only file system of snapshots. */
export class SnapshotFileSystem extends ReadOnlyFileSystem {
  readonly #opened: OpenedSnapshots;

  constructor(opened: OpenedSnapshots) {
    super();
    this.#opened = opened;
  }

  static register(opened: OpenedSnapshots): vscode.Disposable {
    const isReadonly = new vscode.MarkdownString(
      vscode.l10n.t('This file is part of a snapshot. To edit it, branch from this moment.'),
    );
    const system = new SnapshotFileSystem(opened);
    return vscode.workspace.registerFileSystemProvider(SNAPSHOT_SCHEME, system, { isReadonly });
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

  async #read<T>(
    uri: vscode.Uri,
    read: (tree: SnapshotTree, path: string) => Promise<T>,
  ): Promise<T> {
    const place = parseSnapshotUri(uri);
    if (!place) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      const path = place.pathIn(await this.#opened.workspace(place.sessionId));
      if (path === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return await read(await this.#opened.tree(place), path);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (error.code === 'not-in-snapshot') throw vscode.FileSystemError.FileNotFound(uri);
      throw vscode.FileSystemError.Unavailable(error.message);
    }
  }
}
