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
  type StopParams,
  type TerminalPlace,
} from '../common/recorderProtocol.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import { decodeSnapshotLines, type SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { SocketTransport } from '../../platform/node/transports/socketTransport.ts';

export interface TerminalState extends TerminalPlace {
  /** Bytes that show the screen and scrollback when they are written to a terminal of that size. */
  readonly state: Uint8Array;
}

const EMPTY = new Uint8Array();
/** How long to wait for an answer. A recorder that takes longer is blocked. */
const ANSWER_MS = 5000;

/** A connection to a recorder, used by the extension and the CLI. */
export class RecorderClient implements Disposable {
  readonly #transport: SocketTransport;
  readonly #channel: Channel<ClientProtocol, HostProtocol>;
  readonly #output = new Emitter<Uint8Array>();
  readonly #resized = new Emitter<TerminalSize>();
  readonly #states = new Emitter<TerminalState>();
  readonly #trouble = new Emitter<string | null>();
  readonly #ended = new Emitter<ProgramExit>();
  readonly #exited = new Emitter<ProgramExit>();

  readonly onOutput = this.#output.event;
  readonly onDidResize = this.#resized.event;
  /**
   * Fires when the client must clear the screen and show this state: at the start, and when it
   * lagged too far.
   */
  readonly onState = this.#states.event;
  readonly onDidChangeTrouble = this.#trouble.event;
  /** Fires when the program has ended; its last screen may still follow. */
  readonly onDidEnd = this.#ended.event;
  /** Fires when the program has ended and all output was received. */
  readonly onDidExit = this.#exited.event;

  /** @throws UserError `not-running`, `not-answering` or `version-mismatch` */
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
      client.dispose();
      if (!isSilent) throw error;
      throw new UserError('not-answering', 'The recorder does not answer.', { cause: error });
    } finally {
      clearTimeout(timer);
    }
    return client;
  }

  private constructor(transport: SocketTransport) {
    this.#transport = transport;
    // The recorder runs as the same user, so its messages are not checked.
    this.#channel = new Channel<ClientProtocol, HostProtocol>(
      transport,
      {},
      {
        output: (_, binary) => this.#output.fire(binary ?? EMPTY),
        resized: (body) => this.#resized.fire(body as TerminalSize),
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

  /** Subscribe to {@link onState} and the other events before this call. */
  async attach(params: AttachParams): Promise<void> {
    await this.#channel.request('attach', params);
  }

  async status(): Promise<SessionStatus> {
    return (await this.#channel.request('status', {})).body;
  }

  /** Takes a snapshot; undefined when no file has changed. */
  async snapshot(params: SnapshotParams): Promise<SnapshotLine | undefined> {
    const { line } = (await this.#channel.request('snapshot', params)).body;
    return decodeSnapshotLines(line ?? '')[0];
  }

  /** Pauses or resumes capture of agent activity and input. */
  async setCapture(isOn: boolean): Promise<void> {
    await this.#channel.request('capture', { isOn });
  }

  /** Pauses or resumes the recording. */
  async setPaused(isPaused: boolean): Promise<void> {
    await this.#channel.request('pause', { isPaused });
  }

  /** Starts to end the program. */
  async stop(params: StopParams = { byUser: true }): Promise<void> {
    await this.#channel.request('stop', params);
  }

  input(bytes: Uint8Array): void {
    this.#channel.notify('input', {}, bytes);
  }

  /** Whether too much input is waiting to be sent: send more only after {@link onDidDrainInput}. */
  get isInputFull(): boolean {
    return this.#transport.isFull;
  }

  get onDidDrainInput() {
    return this.#transport.onDidDrain;
  }

  resize(cols: number, rows: number): void {
    this.#channel.notify('resize', { cols, rows });
  }

  /** Tells the recorder that `bytes` more were shown. */
  acknowledge(bytes: number): void {
    this.#channel.notify('acknowledge', { bytes });
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
