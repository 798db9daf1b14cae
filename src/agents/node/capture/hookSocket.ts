import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { countOf, fieldsOf, parseFields, type Fields } from '../../common/untrusted.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { MAX_PAYLOAD_BYTES, type HookInboxOptions } from './hookInbox.ts';

/** An agent has one; its subprocesses may have theirs. */
const MAX_CONNECTIONS = 16;
/** What the only agent with such hooks calls all of them. */
const EVENT = 'event';
const NEWLINE = 0x0a;

/**
 * Where hooks that are code reach the recorder: a line for each call, `{"id":…,"payload":{…}}`, answered with its id when
 * it is dealt with. What is said here is in no file.
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
    // From now on an error concerns one connection, which closes by itself.
    socket.#server.on('error', () => {});
    socket.#server.unref();
    if (process.platform !== 'win32') chmodSync(path, 0o600);
    return socket;
  }

  /** Deals with what has arrived. */
  async settle(): Promise<void> {
    // What the kernel holds comes in the next round of events.
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
    let partial: Buffer[] = [];
    let length = 0;
    connection.on('data', (bytes: Buffer) => {
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const line = Buffer.concat([...partial, bytes.subarray(start, end)]).toString('utf8');
        [partial, length, start] = [[], 0, end + 1];
        this.#take(line, connection);
      }
      partial.push(bytes.subarray(start));
      length += bytes.length - start;
      if (length > MAX_PAYLOAD_BYTES) connection.destroy();
    });
  }

  #take(line: string, connection: Socket): void {
    const said = parseFields(line);
    if (!said) return;
    const id = countOf(said['id']);
    const call = this.#deal(fieldsOf(said['payload'])).then(() => {
      this.#calls.delete(call);
      if (id !== undefined && connection.writable) connection.write(`${id}\n`);
    });
    this.#calls.add(call);
  }

  async #deal(payload: Fields): Promise<void> {
    try {
      await this.#options.onCall({ name: EVENT, payload, seenNs: this.#options.clock.nowNs() });
    } catch (error) {
      this.#options.onTrouble?.(error);
    }
  }
}
