import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { messageOf, UserError } from '../../base/errors.ts';
import { MutableDisposable, toDisposable, type Disposable } from '../../base/lifecycle.ts';
import { isOwnTcpPeer } from '../../platform/node/transports/tcpPeer.ts';
import {
  decodeSnapshotNotice,
  encodeSnapshotReply,
  MAX_SNAPSHOT_MESSAGE_BYTES,
  type SnapshotNotice,
} from '../../snapshots/common/snapshotNotice.ts';
import { listenPrivately, type ListenAddress } from './listenPrivately.ts';

export type SnapshotHandler = (
  request: SnapshotNotice,
) => Promise<{ anchorByte: number; tsNs: bigint }>;

const LENGTH_BYTES = 4;
const MAX_CONNECTIONS = 64;
/** How long a client may take to send the rest of a message. */
const MESSAGE_TIMEOUT_MS = 10_000;

/**
 * Receives snapshot notifications on `AH_IPC_SOCKET`. A faulty client gets an error or is
 * disconnected, without any effect on the session.
 */
export class IpcServer implements Disposable {
  readonly #onSnapshot: SnapshotHandler;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #path: string | undefined;

  constructor(onSnapshot: SnapshotHandler) {
    this.#onSnapshot = onSnapshot;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** @returns the address for `AH_IPC_SOCKET` */
  async listen(address: ListenAddress): Promise<string> {
    await listenPrivately(this.#server, address).catch((error: unknown) => {
      throw new UserError('ipc-failed', `Can't open the snapshot socket: ${messageOf(error)}`);
    });
    if (address.kind === 'socket') {
      this.#path = address.path;
      return address.path;
    }
    const bound = this.#server.address();
    const port = typeof bound === 'object' && bound ? bound.port : address.port;
    return `tcp:${address.host}:${port}`;
  }

  dispose(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#path) rmSync(this.#path, { force: true });
  }

  #accept(socket: Socket): void {
    if (socket.remotePort !== undefined && !isOwnTcpPeer(socket)) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    // Reading fails when the client disconnects in the middle of a message.
    this.#serve(socket).catch(() => socket.destroy());
  }

  /** Answers each request before it reads the next one; unread input stays in the kernel. */
  async #serve(socket: Socket): Promise<void> {
    let buffered: Buffer = Buffer.alloc(0);
    const deadline = new MutableDisposable<Disposable>();
    socket.on('close', () => deadline.dispose());
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      buffered = Buffer.concat([buffered, chunk]);
      for (;;) {
        if (buffered.length < LENGTH_BYTES) break;
        const length = buffered.readUInt32LE(0);
        if (length > MAX_SNAPSHOT_MESSAGE_BYTES) {
          const error = `The message is too long: ${length} bytes, at most ${MAX_SNAPSHOT_MESSAGE_BYTES} are allowed.`;
          socket.end(encodeSnapshotReply({ ok: false, error }));
          return;
        }
        if (buffered.length < LENGTH_BYTES + length) break;
        const message = buffered.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
        buffered = buffered.subarray(LENGTH_BYTES + length);
        socket.write(await this.#answer(message));
      }
      // An idle client may stay connected; a started message has to be completed in time.
      if (buffered.length === 0) deadline.clear();
      else deadline.value ??= startDeadline(socket);
    }
  }

  async #answer(message: Uint8Array): Promise<Uint8Array> {
    const request = decodeSnapshotNotice(message);
    if (typeof request === 'string') return encodeSnapshotReply({ ok: false, error: request });
    try {
      const { anchorByte, tsNs } = await this.#onSnapshot(request);
      const { snapshotId } = request;
      return encodeSnapshotReply({ ok: true, snapshotId, anchorByte: BigInt(anchorByte), tsNs });
    } catch (error) {
      return encodeSnapshotReply({ ok: false, error: messageOf(error) });
    }
  }
}

function startDeadline(socket: Socket): Disposable {
  const timer = setTimeout(() => socket.destroy(), MESSAGE_TIMEOUT_MS);
  return toDisposable(() => clearTimeout(timer));
}
