import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Emitter } from '../../base/emitter.ts';
import { Signal } from '../../base/signal.ts';
import { SocketTransport } from '../../platform/node/transports/socketTransport.ts';
import { ClientSession } from './clientSession.ts';
import { listenPrivately } from './listenPrivately.ts';
import type { SharedSession } from './sharedSession.ts';

const MAX_CLIENTS = 64;
/** How long a terminal may take to receive the last output. Lossless clients have no limit. */
const SERVE_END_MS = 3000;
const CLOSE_MS = 2000;

/** Listens for clients on the session's socket. */
export class ClientServer {
  readonly #session: SharedSession;
  readonly #server: Server;
  readonly #clients = new Set<ClientSession>();
  readonly #sockets = new Set<Socket>();
  readonly #attachments = new Emitter<void>();
  /** Notified when a client has received everything or has disconnected. */
  readonly #settled = new Signal();
  #path: string | undefined;

  constructor(session: SharedSession) {
    this.#session = session;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      this.#add(new SocketTransport(socket));
    });
    this.#server.maxConnections = MAX_CLIENTS;
  }

  get attachedCount(): number {
    return [...this.#clients].filter((client) => client.isAttached).length;
  }

  async listen(path: string): Promise<void> {
    await listenPrivately(this.#server, { kind: 'socket', path });
    this.#path = path;
  }

  notifyTrouble(message: string | null): void {
    for (const client of this.#clients) client.notifyTrouble(message);
  }

  /** Returns when all clients have received the end of the session, or have taken too long. */
  async serveToTheEnd(): Promise<void> {
    // A client that skipped output gets its last screen from the model.
    await this.#session.model.catchUp();
    const deadline = performance.now() + SERVE_END_MS;
    for (;;) {
      const waiting = [...this.#clients].filter((client) => !client.isServed);
      const leftMs = Math.max(0, deadline - performance.now());
      if (!waiting.some((client) => client.isLossless || leftMs > 0)) return;
      const timer = setTimeout(() => this.#settled.notify(), leftMs || SERVE_END_MS);
      await this.#settled.wait();
      clearTimeout(timer);
    }
  }

  /** Settles when the first client has attached, or after `timeoutMs`. */
  firstAttachment(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#attachments.event(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  disconnectAll(): void {
    for (const client of this.#clients) client.dispose();
  }

  /** Closes the socket and all connections; after a short delay even those with unread data. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    if (this.#path) rmSync(this.#path, { force: true });
    this.disconnectAll();
    const timer = setTimeout(() => this.#sockets.forEach((socket) => socket.destroy()), CLOSE_MS);
    await closed;
    clearTimeout(timer);
  }

  #add(transport: SocketTransport): void {
    const client = new ClientSession(transport, this.#session);
    this.#clients.add(client);
    client.onDidAttach(() => this.#attachments.fire());
    client.onDidServe(() => this.#settled.notify());
    client.onDidClose(() => {
      this.#clients.delete(client);
      this.#settled.notify();
      // The terminal takes the size of the last connected client that asked for one.
      const size = [...this.#clients].findLast((other) => other.size)?.size;
      if (size) this.#session.recorder.resize(size.cols, size.rows);
    });
  }
}
