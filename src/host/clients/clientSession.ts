import { Emitter } from '../../base/emitter.ts';
import { UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { SocketTransport } from '../../platform/node/transports/socketTransport.ts';
import { Channel } from '../../rpc/channel.ts';
import {
  parseAcknowledge,
  parseAttach,
  parseCapture,
  parseHello,
  parsePause,
  parseSize,
  parseSnapshot,
  parseStop,
  RECORDER_PROTOCOL_VERSION,
  type AttachParams,
  type ClientProtocol,
  type HostProtocol,
  type SnapshotParams,
} from '../../sessions/common/recorderProtocol.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import { encodeSnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { ClientOutput } from './clientOutput.ts';
import type { SharedSession } from './sharedSession.ts';

/** One connected client: parses and answers its requests. */
export class ClientSession implements Disposable {
  readonly #session: SharedSession;
  readonly #channel: Channel<HostProtocol, ClientProtocol>;
  readonly #resources = new DisposableStore();
  readonly #attachments = new Emitter<void>();
  readonly #served = new Emitter<void>();
  /** Set while the client is attached. */
  #output: ClientOutput | undefined;
  #isGreeted = false;
  #size: TerminalSize | undefined;

  readonly onDidAttach = this.#attachments.event;
  /** Fires when nothing is left to send to this client. */
  readonly onDidServe = this.#served.event;

  constructor(transport: SocketTransport, session: SharedSession) {
    this.#session = session;
    this.#channel = new Channel<HostProtocol, ClientProtocol>(
      transport,
      {
        hello: (params) => this.#hello(parseHello(params)),
        attach: (params) => this.#attach(parseAttach(params)),
        snapshot: (params) => this.#snapshot(parseSnapshot(params)),
        status: () => Promise.resolve({ body: session.status() }),
        capture: async (params) => {
          await session.setCapture(parseCapture(params));
          return { body: {} };
        },
        pause: async (params) => {
          await session.setPaused(parsePause(params));
          return { body: {} };
        },
        stop: (params) => {
          session.recorder.stop(parseStop(params));
          return Promise.resolve({ body: {} });
        },
      },
      {
        input: (_, binary) => {
          if (!binary || !this.#isGreeted) return;
          session.recorder.input(binary);
          // While the program reads too slowly, don't read from the socket: the client waits.
          if (session.recorder.isInputFull) transport.pause();
        },
        resize: (body) => {
          this.#size = parseSize(body);
          session.recorder.resize(this.#size.cols, this.#size.rows);
        },
        acknowledge: (body) => {
          const bytes = parseAcknowledge(body);
          this.#output?.acknowledge(bytes);
        },
      },
    );
    this.#channel.onDidClose(() => this.dispose());
    this.#resources.add(session.recorder.onDidDrainInput(() => transport.resume()));
  }

  get onDidClose() {
    return this.#channel.onDidClose;
  }

  get isAttached(): boolean {
    return this.#output !== undefined;
  }

  /** The terminal size that the client asked for, if any. */
  get size(): TerminalSize | undefined {
    return this.#size;
  }

  get isLossless(): boolean {
    return this.#output?.isLossless === true;
  }

  /** Whether nothing is left to send to this client. */
  get isServed(): boolean {
    return !this.#output || this.#output.isServed;
  }

  notifyTrouble(message: string | null): void {
    if (this.isAttached) this.#channel.notify('trouble', { message });
  }

  dispose(): void {
    this.#output = undefined;
    this.#resources.dispose();
    this.#channel.dispose();
  }

  #hello(version: number) {
    if (version !== RECORDER_PROTOCOL_VERSION) {
      throw new UserError(
        'version-mismatch',
        `The recorder uses protocol version ${RECORDER_PROTOCOL_VERSION}, this client uses version ${version}: update the older one.`,
      );
    }
    this.#isGreeted = true;
    const body = { protocolVersion: RECORDER_PROTOCOL_VERSION, sessionId: this.#session.id };
    return Promise.resolve({ body });
  }

  async #snapshot(params: SnapshotParams): Promise<{ body: { line: string | null } }> {
    this.#checkGreeted();
    const line = await this.#session.snapshots.take(params);
    return { body: { line: line ? encodeSnapshotLine(line) : null } };
  }

  #attach(params: AttachParams): Promise<{ body: Record<string, never> }> {
    this.#checkGreeted();
    if (this.#output) throw new UserError('attached-already', 'This client is attached already.');
    const output = new ClientOutput(this.#session, params, this.#channel);
    this.#output = this.#resources.add(output);
    output.onDidServe(() => this.#served.fire());
    output
      .run(() => this.#attachments.fire())
      .catch((error: unknown) => {
        this.#session.reportBug(error);
        this.dispose();
      });
    return Promise.resolve({ body: {} });
  }

  #checkGreeted(): void {
    if (!this.#isGreeted) throw new UserError('no-hello', 'Send "hello" before other requests.');
  }
}
