import * as vscode from 'vscode';

/** Base of file systems whose files can't be edited and never change. */
export abstract class ReadOnlyFileSystem implements vscode.FileSystemProvider {
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  /** Never fires, because the files don't change. */
  readonly onDidChangeFile = this.#changes.event;

  abstract stat(uri: vscode.Uri): Promise<vscode.FileStat>;

  abstract readFile(uri: vscode.Uri): Promise<Uint8Array>;

  abstract readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]>;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
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
}
