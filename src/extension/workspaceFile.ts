import * as vscode from 'vscode';
import { messageOf, UserError } from '../base/errors.ts';

/** Size limit, because files are read as a whole and a browser tab can't hold much more. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A file in any VS Code file system, read as a whole. */
export class WorkspaceFile {
  readonly #uri: vscode.Uri;
  #version = '';

  constructor(uri: vscode.Uri) {
    this.#uri = uri;
  }

  /**
   * @returns undefined if the file has not changed since the last call
   * @throws UserError if the file can't be read
   */
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
    'The recording is {0} MB, more than the {1} MB that can be read from this location. Copy it to a local disk and open it there.',
    megabytes(size),
    megabytes(MAX_BYTES),
  );
  return new UserError('too-large', message);
}
