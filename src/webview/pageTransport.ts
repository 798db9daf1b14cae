import { Emitter } from '../base/emitter.ts';
import type { Transport } from '../rpc/channel.ts';
import type { VsCodeApi } from './vscodeApi.ts';

/** The page's end of the connection to the extension. */
export class PageTransport implements Transport {
  readonly #api: VsCodeApi;
  readonly #messages = new Emitter<{ json: unknown; binary: Uint8Array | undefined }>();
  readonly #closes = new Emitter<void>();
  readonly #listener = (event: MessageEvent<unknown>) => this.#receive(event.data);

  readonly onMessage = this.#messages.event;
  readonly onClose = this.#closes.event;

  constructor(api: VsCodeApi) {
    this.#api = api;
    window.addEventListener('message', this.#listener);
  }

  send(json: unknown): void {
    this.#api.postMessage({ json });
  }

  dispose(): void {
    window.removeEventListener('message', this.#listener);
    this.#closes.fire();
    this.#messages.dispose();
    this.#closes.dispose();
  }

  #receive(data: unknown): void {
    if (typeof data !== 'object' || data === null) return;
    const { json, binary } = data as { json?: unknown; binary?: unknown };
    if (json === undefined) return;
    const bytes = binary instanceof ArrayBuffer ? new Uint8Array(binary) : undefined;
    this.#messages.fire({ json, binary: bytes });
  }
}
