import type * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { Transport } from '../../rpc/channel.ts';

/** Exchanges messages with a webview. VS Code transfers an `ArrayBuffer` without encoding it. */
export class WebviewTransport implements Transport {
  readonly #webview: vscode.Webview;
  readonly #resources = new DisposableStore();
  readonly #messages = this.#resources.add(
    new Emitter<{ json: unknown; binary: Uint8Array | undefined }>(),
  );
  readonly #closes = this.#resources.add(new Emitter<void>());

  readonly onMessage = this.#messages.event;
  readonly onClose = this.#closes.event;

  constructor(panel: vscode.WebviewPanel) {
    this.#webview = panel.webview;
    this.#resources.add(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (typeof message !== 'object' || message === null) return;
        const { json, binary } = message as { json?: unknown; binary?: unknown };
        const bytes = binary instanceof ArrayBuffer ? new Uint8Array(binary) : undefined;
        this.#messages.fire({ json, binary: bytes });
      }),
    );
    this.#resources.add(panel.onDidDispose(() => this.#closes.fire()));
  }

  send(json: unknown, binary?: Uint8Array): void {
    // Copy the bytes: otherwise the whole buffer behind the view would be sent.
    const buffer = binary && new Uint8Array(binary).buffer;
    void this.#webview.postMessage(buffer ? { json, binary: buffer } : { json });
  }

  dispose(): void {
    this.#resources.dispose();
  }
}
