import { parentPort, Worker, type MessagePort } from 'node:worker_threads';
import { Emitter } from '../../../base/emitter.ts';
import type { Transport } from '../../../rpc/channel.ts';

export interface ThreadTransportOptions {
  /**
   * Transfers binaries instead of copying them: the sender must not use them or their buffers
   * afterwards.
   */
  readonly transfersBinaries?: boolean;
}

/**
 * One end of the connection between two threads; disposing the end that started the thread ends the
 * thread.
 */
export class ThreadTransport implements Transport {
  readonly #port: Worker | MessagePort;
  readonly #transfersBinaries: boolean;
  readonly #messages = new Emitter<{ json: unknown; binary: Uint8Array | undefined }>();
  readonly #closes = new Emitter<Error>();

  readonly onMessage = this.#messages.event;
  /** Fires with the error that ended the thread. */
  readonly onClose = this.#closes.event;

  constructor(port: Worker | MessagePort, { transfersBinaries }: ThreadTransportOptions = {}) {
    this.#port = port;
    this.#transfersBinaries = transfersBinaries ?? false;
    const receive = (message: unknown) => {
      if (typeof message !== 'object' || message === null) return;
      const { json, binary } = message as { json?: unknown; binary?: unknown };
      this.#messages.fire({ json, binary: binary instanceof Uint8Array ? binary : undefined });
    };
    port.on('message', receive);
    if (!(port instanceof Worker)) return;
    port.on('error', (error: Error) => this.close(error));
    port.on('exit', () => this.close(new Error('The thread has ended.')));
  }

  send(json: unknown, binary?: Uint8Array): void {
    const transferred = binary && this.#transfersBinaries ? [binary.buffer as ArrayBuffer] : [];
    this.#port.postMessage(binary ? { json, binary } : { json }, transferred);
  }

  /** Rejects pending requests with `reason`, without waiting for the thread. */
  close(reason: Error): void {
    this.#closes.fire(reason);
  }

  dispose(): void {
    this.#messages.dispose();
    this.#closes.dispose();
    if (this.#port instanceof Worker) void this.#port.terminate();
  }
}

/** The connection of this thread to the one that started it. */
export function parentTransport(options?: ThreadTransportOptions): ThreadTransport {
  if (!parentPort) throw new Error('This file runs as a worker thread only.');
  return new ThreadTransport(parentPort, options);
}
