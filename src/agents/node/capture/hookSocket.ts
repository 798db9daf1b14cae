import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { countOf, fieldsOf, parseFields, type Fields } from '../../common/untrusted.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { LineSplitter } from '../../../platform/node/files/lineSplitter.ts';
import { MAX_PAYLOAD_BYTES, type HookInboxOptions } from './hookInbox.ts';

/** An agent opens one connection; its subprocesses may open others. */
const MAX_CONNECTIONS = 16;
/** The hook's name: opencode, the only agent with plugin hooks, has one hook for all events. */
const EVENT = 'event';

/**
 * The socket that hooks written as code (plugins) connect to. Each call is a line,
 * `{"id":…,"payload":{…}}`, answered with its ID once it is handled. Nothing is written to files.
 */
export class HookSocket implements Disposable {
  readonly #path: string;
  readonly #options: HookInboxOptions;
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  readonly #calls = new Set<Promise<void>>();

  private constructor(path: string, options: HookInboxOptions) {
    this.#path = path;
    this.#options = options;
    this.#server = createServer((connection) => this.#accept(connection));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  static async open(path: string, options: HookInboxOptions): Promise<HookSocket> {
    const socket = new HookSocket(path, options);
    await new Promise<void>((resolve, reject) => {
      socket.#server.once('error', reject);
      socket.#server.listen(path, resolve);
    });
    // Later errors concern a single connection, which closes by itself.
    socket.#server.on('error', () => {});
    socket.#server.unref();
    if (process.platform !== 'win32') chmodSync(path, 0o600);
    return socket;
  }

  /** Waits until all calls that have arrived are handled. */
  async settle(): Promise<void> {
    // Data in the kernel's buffers arrives in the next round of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(this.#calls);
  }

  dispose(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.destroy();
    rmSync(this.#path, { force: true });
  }

  #accept(connection: Socket): void {
    this.#connections.add(connection);
    connection.unref();
    connection.on('close', () => this.#connections.delete(connection));
    connection.on('error', () => connection.destroy());
    const lines = new LineSplitter(
      (line) => this.#receive(line, connection),
      MAX_PAYLOAD_BYTES,
      () => connection.destroy(),
    );
    connection.on('data', (bytes: Buffer) => lines.push(bytes));
  }

  #receive(line: string, connection: Socket): void {
    const fields = parseFields(line);
    if (!fields) return;
    const id = countOf(fields['id']);
    const call = this.#handle(fieldsOf(fields['payload'])).then(() => {
      this.#calls.delete(call);
      if (id !== undefined && connection.writable) connection.write(`${id}\n`);
    });
    this.#calls.add(call);
  }

  async #handle(payload: Fields): Promise<void> {
    try {
      await this.#options.onCall({ name: EVENT, payload, seenNs: this.#options.clock.nowNs() });
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}
