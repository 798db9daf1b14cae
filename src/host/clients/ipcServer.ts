import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { messageOf, UserError } from '../../base/errors.ts';
import { MutableDisposable, toDisposable, type Disposable } from '../../base/lifecycle.ts';
import { isOwnTcpPeer } from '../../platform/node/transports/tcpPeer.ts';
import {
  decodeSnapshotRequest,
  encodeSnapshotResponse,
  MAX_SNAPSHOT_MESSAGE_BYTES,
  type SnapshotRequest,
} from '../../snapshots/common/snapshotIpc.ts';

export type SnapshotHandler = (
  request: SnapshotRequest,
) => Promise<{ anchorByte: number; tsNs: bigint }>;

export type IpcAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

const LENGTH_BYTES = 4;
const MAX_CONNECTIONS = 64;
/** A client that began a message has this long to send the rest. */
const MESSAGE_TIMEOUT_MS = 10_000;

/** Receives snapshot notifications. Whatever a client sends, it gets an answer or is cut off; the session does not notice. */
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

  /** Returns the address for `AH_IPC_SOCKET`. */
  async listen(address: IpcAddress): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      if (address.kind === 'socket') this.#server.listen(address.path, resolve);
      else this.#server.listen(address.port, address.host, resolve);
    }).catch((error: unknown) => {
      throw new UserError(
        'ipc-failed',
        `The snapshot socket cannot be opened: ${messageOf(error)}`,
      );
    });
    // From now on an error concerns one connection, which closes by itself.
    this.#server.on('error', () => {});
    if (address.kind === 'socket') {
      if (process.platform !== 'win32') chmodSync(address.path, 0o600);
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
    this.#serve(socket).catch(() => socket.destroy());
  }

  /** One request after another, each answered before the next is looked at; unread input waits in the kernel. */
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
          socket.end(encodeSnapshotResponse({ ok: false, error }));
          return;
        }
        if (buffered.length < LENGTH_BYTES + length) break;
        const message = buffered.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
        buffered = buffered.subarray(LENGTH_BYTES + length);
        socket.write(await this.#answer(message));
      }
      // Nothing begun: a client may stay connected. Something begun: it has to be finished in time.
      if (buffered.length === 0) deadline.clear();
      else deadline.value ??= startDeadline(socket);
    }
  }

  async #answer(message: Uint8Array): Promise<Uint8Array> {
    const request = decodeSnapshotRequest(message);
    if (typeof request === 'string') return encodeSnapshotResponse({ ok: false, error: request });
    try {
      const { anchorByte, tsNs } = await this.#onSnapshot(request);
      const { snapshotId } = request;
      return encodeSnapshotResponse({ ok: true, snapshotId, anchorByte: BigInt(anchorByte), tsNs });
    } catch (error) {
      return encodeSnapshotResponse({ ok: false, error: messageOf(error) });
    }
  }
}

function startDeadline(socket: Socket): Disposable {
  const timer = setTimeout(() => socket.destroy(), MESSAGE_TIMEOUT_MS);
  return toDisposable(() => clearTimeout(timer));
}
