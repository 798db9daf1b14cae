import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Emitter } from '../../base/emitter.ts';
import { Signal } from '../../base/signal.ts';
import { SocketTransport } from '../../platform/node/transports/socketTransport.ts';
import { ClientSession, type SharedSession } from './clientSession.ts';

const MAX_CLIENTS = 64;
/** A terminal that is shown the end has this long to take it; one that must have every byte has as long as it needs. */
const LAST_WORDS_MS = 3000;
const CLOSE_MS = 2000;

/** Listens for clients on the session's socket. */
export class ClientServer {
  readonly #session: SharedSession;
  readonly #server: Server;
  readonly #clients = new Set<ClientSession>();
  readonly #sockets = new Set<Socket>();
  readonly #attachments = new Emitter<void>();
  readonly #left = new Signal();
  #path: string | undefined;

  readonly onDidAttach = this.#attachments.event;

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
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, resolve);
    });
    this.#server.on('error', () => {});
    if (process.platform !== 'win32') chmodSync(path, 0o600);
    this.#path = path;
  }

  tellTrouble(message: string | null): void {
    for (const client of this.#clients) client.tellTrouble(message);
  }

  /** Returns when no client waits for anything any more. */
  async serveToTheEnd(): Promise<void> {
    // One that lagged is shown the end as the model knows it.
    await this.#session.model.catchUp();
    const deadline = performance.now() + LAST_WORDS_MS;
    for (;;) {
      const waiting = [...this.#clients].filter((client) => !client.isServed);
      const patience = Math.max(0, deadline - performance.now());
      const worthWaiting = waiting.filter((client) => client.isLossless || patience > 0);
      if (worthWaiting.length === 0) return;
      const timer = setTimeout(() => this.#left.notify(), patience || LAST_WORDS_MS);
      await this.#left.wait();
      clearTimeout(timer);
    }
  }

  /** Settles when the first client has attached, at the latest after `timeoutMs`. */
  firstAttachment(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.onDidAttach(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Ends every connection that there is. */
  letGo(): void {
    for (const client of this.#clients) client.dispose();
  }

  /** Closes every connection; one that does not take what was sent on it is cut after a moment. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    if (this.#path) rmSync(this.#path, { force: true });
    this.letGo();
    const timer = setTimeout(() => this.#sockets.forEach((socket) => socket.destroy()), CLOSE_MS);
    await closed;
    clearTimeout(timer);
  }

  #add(transport: SocketTransport): void {
    const client = new ClientSession(transport, this.#session);
    this.#clients.add(client);
    client.onDidAttach(() => this.#attachments.fire());
    client.onDidServe(() => this.#left.notify());
    client.onDidClose(() => {
      this.#clients.delete(client);
      this.#left.notify();
      // The terminal has the size of whoever resized it last and is still there.
      const size = [...this.#clients].findLast((other) => other.size)?.size;
      if (size) this.#session.recorder.resize(size.cols, size.rows);
    });
  }
}
