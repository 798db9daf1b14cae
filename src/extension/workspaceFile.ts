import * as vscode from 'vscode';
import { messageOf, UserError } from '../base/errors.ts';

/** Such file systems hand over whole files: more than this at once is more than a browser's page should hold. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A file of any file system that the editor knows, read as a whole. */
export class WorkspaceFile {
  readonly #uri: vscode.Uri;
  #version = '';

  constructor(uri: vscode.Uri) {
    this.#uri = uri;
  }

  /** @returns undefined when it is as it was; throws a `UserError` when it cannot be read */
  async readIfChanged(): Promise<Uint8Array | undefined> {
    try {
      const { size, mtime } = await vscode.workspace.fs.stat(this.#uri);
      if (size > MAX_BYTES) throw tooLarge(size);
      const version = `${mtime} ${size}`;
      if (version === this.#version) return undefined;
      const bytes = await vscode.workspace.fs.readFile(this.#uri);
      if (bytes.length > MAX_BYTES) throw tooLarge(bytes.length);
      this.#version = version;
      return bytes;
    } catch (error) {
      this.#version = '';
      if (error instanceof UserError) throw error;
      const isGone = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
      throw new UserError(isGone ? 'recording-gone' : 'cannot-read', messageOf(error), {
        cause: error,
      });
    }
  }
}

function tooLarge(size: number): UserError {
  const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
  const message = vscode.l10n.t(
    'It has {0} MB, and from this place at most {1} MB can be read. Copy it to a disk and open it there.',
    megabytes(size),
    megabytes(MAX_BYTES),
  );
  return new UserError('too-large', message);
}
