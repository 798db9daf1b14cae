import type { Socket } from 'node:net';
import { Emitter } from '../../../base/emitter.ts';
import type { Transport } from '../../../rpc/channel.ts';
import { encodeFrame, FrameDecoder } from '../../../rpc/framing.ts';

const FULL_BYTES = 1024 * 1024;
/** Far more than any client requests at once. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/** Framed messages over a stream socket. Disconnects a peer that violates the framing. */
export class SocketTransport implements Transport {
  readonly #socket: Socket;
  readonly #messages = new Emitter<{ json: unknown; binary: Uint8Array | undefined }>();
  readonly #closes = new Emitter<void>();
  readonly #drains = new Emitter<void>();

  readonly onMessage = this.#messages.event;
  readonly onClose = this.#closes.event;
  readonly onDidDrain = this.#drains.event;

  constructor(socket: Socket) {
    this.#socket = socket;
    const decoder = new FrameDecoder();
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of decoder.push(chunk)) this.#messages.fire(frame);
      } catch {
        // The peer violates the framing.
        socket.destroy();
      }
    });
    socket.on('drain', () => this.#drains.fire());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#closes.fire());
  }

  /** Receives no more messages until {@link resume}; meanwhile they wait at the sender. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Whether the peer reads too slowly: wait for {@link onDidDrain} before sending more. */
  get isFull(): boolean {
    return this.#socket.writableLength > FULL_BYTES;
  }

  /** Disconnects a peer that keeps sending requests without reading the replies. */
  send(json: unknown, binary?: Uint8Array): void {
    if (this.#socket.writableLength > MAX_QUEUED_BYTES) this.#socket.destroy();
    if (this.#socket.destroyed) return;
    this.#socket.cork();
    for (const piece of encodeFrame(json, binary)) this.#socket.write(piece);
    this.#socket.uncork();
  }

  /** Delivers all sent messages, then closes the socket. */
  dispose(): void {
    this.#socket.end();
  }
}
