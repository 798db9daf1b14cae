import * as vscode from 'vscode';
import { relativeTo } from '../../snapshots/common/posixPath.ts';
import type { SnapshotTree } from '../../snapshots/common/provider.ts';
import { ReadOnlyFileSystem } from '../snapshots/readOnlyFileSystem.ts';

/** URI scheme of files as they would be after the changes under review. */
export const REVIEW_SCHEME = 'ah-review';

/** URI authority for files that are missing on one side of a diff: they read as empty. */
const NOTHING = 'nothing';

/**
 * The files of a review. They have the paths of the workspace, because VS Code shows files with
 * different paths as renamed.
 */
export interface ReviewedFiles {
  readonly workspace: string;
  /** The files after all changes. */
  readonly result: SnapshotTree;
}

/** Serves the files of the open review to diffs. */
export class ReviewFileSystem extends ReadOnlyFileSystem {
  readonly #files = new Map<string, ReviewedFiles>();

  add(id: string, files: ReviewedFiles): void {
    this.#files.set(id, files);
  }

  remove(id: string): void {
    this.#files.delete(id);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length: size } = await this.readFile(uri);
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, size, ctime: 0, mtime: 0, permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (uri.authority === NOTHING) return new Uint8Array();
    const files = this.#files.get(uri.authority);
    if (!files)
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t('This review has ended. Close this editor.'),
      );
    const path = relativeTo(files.workspace, uri.path);
    if (!path) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      return await files.result.read(path);
    } catch {
      // VS Code expects its own error types; treat a file that can't be read as missing.
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }

  readDirectory(): Promise<[string, vscode.FileType][]> {
    return Promise.resolve([]);
  }
}

export function reviewUri(id: string, workspace: string, path: string): vscode.Uri {
  return vscode.Uri.file(`${workspace}/${path}`).with({ scheme: REVIEW_SCHEME, authority: id });
}

export function nothingUri(workspace: string, path: string): vscode.Uri {
  return reviewUri(NOTHING, workspace, path);
}
