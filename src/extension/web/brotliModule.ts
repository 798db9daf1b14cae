import * as vscode from 'vscode';
import init, { DecompressStream } from 'brotli-wasm/web';

/**
 * Loads the WebAssembly module when the first stream is created, because most windows open no
 * recording.
 */
export class BrotliModule {
  readonly #file: vscode.Uri;
  #loaded: Promise<unknown> | undefined;

  constructor(extensionUri: vscode.Uri) {
    this.#file = vscode.Uri.joinPath(extensionUri, 'dist', 'web', 'brotli.wasm');
  }

  async newStream(): Promise<DecompressStream> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    return new DecompressStream();
  }

  async #load(): Promise<void> {
    await init(await vscode.workspace.fs.readFile(this.#file));
  }
}
