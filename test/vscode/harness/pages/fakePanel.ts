import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Transport } from '../../../../src/rpc/channel.ts';

interface Message {
  readonly json: unknown;
  readonly binary?: ArrayBuffer;
}

/** A tab without a window: the test exchanges the messages that its page would. */
export class FakePanel {
  readonly #fromPage = new Emitter<Message>();
  readonly #toPage = new Emitter<{ json: unknown; binary: Uint8Array | undefined }>();
  readonly #disposals = new Emitter<void>();
  readonly #closes = new Emitter<void>();

  readonly panel = {
    webview: {
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: (listener: (message: Message) => void) => this.#fromPage.event(listener),
      postMessage: ({ json, binary }: Message) => {
        this.#toPage.fire({ json, binary: binary && new Uint8Array(binary) });
        return Promise.resolve(true);
      },
    },
    onDidDispose: (listener: () => void) => this.#disposals.event(listener),
  } as unknown as vscode.WebviewPanel;

  /** The page's end of the connection. */
  readonly page: Transport = {
    send: (json, binary) =>
      this.#fromPage.fire({ json, ...(binary && { binary: new Uint8Array(binary).buffer }) }),
    onMessage: this.#toPage.event,
    onClose: this.#closes.event,
    dispose: () => {},
  };

  /** Closes the tab. */
  close(): void {
    this.#disposals.fire();
  }
}
