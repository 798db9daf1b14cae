import { connect } from 'node:net';
import { Emitter } from '../../base/emitter.ts';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Channel } from '../../rpc/channel.ts';
import {
  RECORDER_PROTOCOL_VERSION,
  type AttachParams,
  type ClientProtocol,
  type HostProtocol,
  type ProgramExit,
  type SessionStatus,
  type SnapshotParams,
  type TerminalPlace,
} from '../common/recorderProtocol.ts';
import { decodeSnapshotLines, type SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { SocketTransport } from '../../platform/node/transports/socketTransport.ts';

export interface TerminalState extends TerminalPlace {
  /** Written to a terminal of that size, shows the screen and scrollback as they were. */
  readonly state: Uint8Array;
}

const EMPTY = new Uint8Array();
/** A recorder that takes longer is stopped, or on a machine that is. */
const ANSWER_MS = 5000;

/** A connection to a recorder host. The extension and the CLI are both such clients. */
export class RecorderClient implements Disposable {
  readonly #transport: SocketTransport;
  readonly #channel: Channel<ClientProtocol, HostProtocol>;
  readonly #output = new Emitter<Uint8Array>();
  readonly #resized = new Emitter<{ cols: number; rows: number }>();
  readonly #states = new Emitter<TerminalState>();
  readonly #trouble = new Emitter<string | null>();
  readonly #ended = new Emitter<ProgramExit>();
  readonly #exited = new Emitter<ProgramExit>();

  readonly onOutput = this.#output.event;
  readonly onDidResize = this.#resized.event;
  /** Forget what was shown and show this: once at the start, and again when this client lagged too far. */
  readonly onState = this.#states.event;
  readonly onDidChangeTrouble = this.#trouble.event;
  /** The program has ended; what it looked like in the end may come after this. */
  readonly onDidEnd = this.#ended.event;
  /** The program has ended, and everything has been shown. */
  readonly onDidExit = this.#exited.event;

  /** Throws a {@link UserError} when nobody listens there, answers in time, or speaks this version. */
  static async connect(hostSocket: string, answerMs = ANSWER_MS): Promise<RecorderClient> {
    const socket = connect(hostSocket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    }).catch((error: unknown) => {
      throw new UserError('not-running', 'The session is not running.', { cause: error });
    });
    const client = new RecorderClient(new SocketTransport(socket));
    let isSilent = false;
    const timer = setTimeout(() => {
      isSilent = true;
      socket.destroy();
    }, answerMs);
    try {
      await client.#channel.request('hello', { protocolVersion: RECORDER_PROTOCOL_VERSION });
    } catch (error) {
      if (!isSilent) throw error;
      throw new UserError('not-answering', 'The recorder does not answer.', { cause: error });
    } finally {
      clearTimeout(timer);
    }
    return client;
  }

  private constructor(transport: SocketTransport) {
    this.#transport = transport;
    // The host is ours and runs as the same user: the shape of what it says is trusted.
    this.#channel = new Channel<ClientProtocol, HostProtocol>(
      transport,
      {},
      {
        output: (_, binary) => this.#output.fire(binary ?? EMPTY),
        resized: (body) => this.#resized.fire(body as { cols: number; rows: number }),
        state: (body, binary) =>
          this.#states.fire({ ...(body as TerminalPlace), state: binary ?? EMPTY }),
        trouble: (body) => this.#trouble.fire((body as { message: string | null }).message),
        ended: (body) => this.#ended.fire(body as ProgramExit),
        exited: (body) => this.#exited.fire(body as ProgramExit),
      },
    );
  }

  get onDidClose() {
    return this.#channel.onDidClose;
  }

  /** Listen to {@link onState} and the rest before. */
  async attach(params: AttachParams): Promise<void> {
    await this.#channel.request('attach', params);
  }

  async status(): Promise<SessionStatus> {
    return (await this.#channel.request('status', {})).body;
  }

  /** Keeps the files as they are now; nothing where that was not needed. */
  async snapshot(params: SnapshotParams): Promise<SnapshotLine | undefined> {
    const { line } = (await this.#channel.request('snapshot', params)).body;
    return decodeSnapshotLines(line ?? '')[0];
  }

  /** Whether anything but the terminal is kept from now on. */
  async setCapture(isOn: boolean): Promise<void> {
    await this.#channel.request('capture', { isOn });
  }

  async stop(): Promise<void> {
    await this.#channel.request('stop', {});
  }

  input(bytes: Uint8Array): void {
    this.#channel.notify('input', {}, bytes);
  }

  /** Whether the program is behind with its input: send more after {@link onDidDrainInput}. */
  get isInputFull(): boolean {
    return this.#transport.isFull;
  }

  get onDidDrainInput() {
    return this.#transport.onDidDrain;
  }

  resize(cols: number, rows: number): void {
    this.#channel.notify('resize', { cols, rows });
  }

  /** Tells the host that `bytes` more have been shown. */
  acknowledge(bytes: number): void {
    this.#channel.notify('acknowledge', { bytes });
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
