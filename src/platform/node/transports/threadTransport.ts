import { Emitter } from '../../../base/emitter.ts';
import type { Transport } from '../../../rpc/channel.ts';

/** A `Worker`, or the port that a worker has to whoever started it. */
export interface ThreadPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Messages between threads, which carry bytes as they are. */
export class ThreadTransport implements Transport {
  readonly #port: ThreadPort;
  readonly #messages = new Emitter<{ json: unknown; binary: Uint8Array | undefined }>();
  readonly #closes = new Emitter<void>();

  readonly onMessage = this.#messages.event;
  readonly onClose = this.#closes.event;

  constructor(port: ThreadPort) {
    this.#port = port;
    port.on('message', (message) => {
      if (typeof message !== 'object' || message === null) return;
      const { json, binary } = message as { json?: unknown; binary?: unknown };
      this.#messages.fire({ json, binary: binary instanceof Uint8Array ? binary : undefined });
    });
  }

  send(json: unknown, binary?: Uint8Array): void {
    this.#port.postMessage(binary ? { json, binary } : { json });
  }

  /** The other thread has ended. */
  close(): void {
    this.#closes.fire();
  }

  dispose(): void {
    this.#messages.dispose();
    this.#closes.dispose();
  }
}
