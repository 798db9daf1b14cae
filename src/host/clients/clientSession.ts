import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { Signal } from '../../base/signal.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { SocketTransport } from '../../platform/node/transports/socketTransport.ts';
import { Channel } from '../../rpc/channel.ts';
import {
  parseAcknowledge,
  parseAttach,
  parseCapture,
  parseHello,
  parseSize,
  parseSnapshot,
  RECORDER_PROTOCOL_VERSION,
  type AttachParams,
  type ClientProtocol,
  type HostProtocol,
  type ProgramExit,
  type SessionStatus,
  type SnapshotParams,
} from '../../sessions/common/recorderProtocol.ts';
import { encodeSnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { EscapeFilter, isQuery } from '../../terminal/screen/escapeFilter.ts';
import type { QueryArbiter, AnsweringTerminal } from './queryArbiter.ts';
import type { ModelFeed } from '../model/modelFeed.ts';
import type { Recorder } from '../recorder.ts';
import type { SessionLog } from '../sessionLog.ts';
import { SkippedRecords } from './skippedRecords.ts';
import type { SessionSnapshots } from '../snapshots/sessionSnapshots.ts';

/** What a client needs of the session it looks at. */
export interface SharedSession {
  readonly id: string;
  readonly clock: Clock;
  readonly log: SessionLog;
  readonly model: ModelFeed;
  readonly recorder: Recorder;
  readonly answering: QueryArbiter;
  readonly snapshots: SessionSnapshots;
  /** Set once the recording is complete on disk. */
  readonly completed: ProgramExit | undefined;
  readonly onDidComplete: Event<void>;
  status(): SessionStatus;
  /** Whether anything but the terminal is kept from now on. */
  setCapture(isOn: boolean): Promise<void>;
  reportBug(error: unknown): void;
}

const MAX_OUTPUT_FRAME_BYTES = 256 * 1024;
/** A terminal that is this far behind, in both, is taken to the present: nobody reads what floods past. */
const MAX_LAG_BYTES = 512 * 1024;
const MAX_LAG_NS = 50n * NANOSECONDS_PER_MILLISECOND;
/** What is shown of a flood that the model is behind with: some screens full. */
const GLANCE_BYTES = 32 * 1024;
/** Ends whatever sequence is under way, and any colour. */
const CALM = Buffer.from('\u0018\u001b[0m');
const LINE_FEED = 0x0a;

/** One connected client. It pulls from the log at its own pace and is held back alone. */
export class ClientSession implements Disposable, AnsweringTerminal {
  readonly #session: SharedSession;
  readonly #channel: Channel<HostProtocol, ClientProtocol>;
  readonly #resources = new DisposableStore();
  readonly #wake = new Signal();
  readonly #attachments = new Emitter<void>();
  readonly #served = new Emitter<void>();
  #attached: AttachParams | undefined;
  readonly #questions = new EscapeFilter(isQuery);
  /** Until it is shown anything the model answers. */
  #startIndex = Infinity;
  #cursor = 0;
  #sentOffset = 0;
  /** When what was sent last had come. */
  #sentTsNs = 0n;
  #unacknowledged = 0;
  #greeted = false;
  #isServed = false;
  #knowsEnd = false;
  readonly #skipped = new SkippedRecords();
  /** It was taken past something, and has yet to be shown what the terminal is really like. */
  #isGlancing = false;
  #size: { cols: number; rows: number } | undefined;

  readonly onDidAttach = this.#attachments.event;
  readonly onDidServe = this.#served.event;

  constructor(transport: SocketTransport, session: SharedSession) {
    this.#session = session;
    this.#channel = new Channel<HostProtocol, ClientProtocol>(
      transport,
      {
        hello: (params) => this.#hello(params),
        attach: (params) => this.#attach(parseAttach(params)),
        snapshot: (params) => this.#snapshot(parseSnapshot(params)),
        status: () => Promise.resolve({ body: session.status() }),
        capture: async (params) => {
          await session.setCapture(parseCapture(params));
          return { body: {} };
        },
        stop: () => {
          session.recorder.stop();
          return Promise.resolve({ body: {} });
        },
      },
      {
        input: (_, binary) => {
          if (!binary || !this.#greeted) return;
          session.recorder.input(binary);
          // Whoever sends faster than the program reads waits, in the kernel and in the end at its own source.
          if (session.recorder.isInputFull) transport.pause();
        },
        resize: (body) => {
          this.#size = parseSize(body);
          session.recorder.resize(this.#size.cols, this.#size.rows);
        },
        acknowledge: (body) => {
          this.#unacknowledged = Math.max(0, this.#unacknowledged - parseAcknowledge(body));
          this.#wake.notify();
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
    return this.#attached !== undefined;
  }

  get startIndex(): number {
    return this.#startIndex;
  }

  get cursor(): number {
    return this.#cursor;
  }

  hasSkipped(index: number): boolean {
    return this.#skipped.has(index);
  }

  /** What it asked the terminal to have, if it did. */
  get size(): { cols: number; rows: number } | undefined {
    return this.#size;
  }

  get isLossless(): boolean {
    return this.#attached?.lossless === true;
  }

  /** Whether there is nothing left to hand to this client. */
  get isServed(): boolean {
    return !this.#attached || this.#isServed;
  }

  tellTrouble(message: string | null): void {
    if (this.#attached) this.#channel.notify('trouble', { message });
  }

  dispose(): void {
    this.#attached = undefined;
    this.#resources.dispose();
    this.#wake.notify();
    this.#channel.dispose();
  }

  #hello(params: unknown) {
    const version = parseHello(params);
    if (version !== RECORDER_PROTOCOL_VERSION) {
      throw new UserError(
        'version-mismatch',
        `The recorder speaks version ${RECORDER_PROTOCOL_VERSION}, this client version ${version}: update the older one.`,
      );
    }
    this.#greeted = true;
    const body = { protocolVersion: RECORDER_PROTOCOL_VERSION, sessionId: this.#session.id };
    return Promise.resolve({ body });
  }

  async #snapshot(params: SnapshotParams): Promise<{ body: { line: string | null } }> {
    if (!this.#greeted) throw new UserError('no-hello', 'Say hello first.');
    const line = await this.#session.snapshots.take(params);
    return { body: { line: line ? encodeSnapshotLine(line) : null } };
  }

  #attach(params: AttachParams): Promise<{ body: Record<string, never> }> {
    if (!this.#greeted) throw new UserError('no-hello', 'Say hello first.');
    if (this.#attached) throw new UserError('attached-already', 'This client is attached already.');
    this.#attached = params;
    this.#resources.add(this.#session.log.onDidGrow(() => this.#wake.notify()));
    this.#resources.add(this.#session.onDidComplete(() => this.#wake.notify()));
    this.#resources.add(this.#session.model.onDidCatchUp(() => this.#wake.notify()));
    this.#serve(params).catch((error: unknown) => {
      this.#session.reportBug(error);
      this.dispose();
    });
    return Promise.resolve({ body: {} });
  }

  async #serve(params: AttachParams): Promise<void> {
    const { recorder, answering } = this.#session;
    if (params.answersQueries) this.#resources.add(answering.add(this));
    if (params.from === 'state') await this.#sendState(params.historyLines);
    else this.#channel.notify('state', { ...recorder.size, byteOffset: 0 });
    this.#startIndex = this.#cursor;
    this.#attachments.fire();
    await this.#pump();
  }

  /** Shows the present; the cursor is set to what comes after it. */
  async #sendState(historyLines: number): Promise<void> {
    const { recorder, model, log } = this.#session;
    const found = await model.state(historyLines);
    // Without a model the whole session is shown again: slow, and right.
    const { place, state, endIndex } = found ?? {
      place: { ...recorder.size, byteOffset: 0 },
      state: new Uint8Array(),
      endIndex: 0,
    };
    this.#isGlancing = false;
    this.#cursor = endIndex;
    this.#session.answering.skipped(this);
    this.#sentOffset = place.byteOffset;
    this.#sentTsNs = log.lastTsNs;
    this.#unacknowledged += state.length;
    this.#channel.notify('state', place, state);
  }

  async #pump(): Promise<void> {
    const { log, model } = this.#session;
    while (this.#attached) {
      const { windowBytes, lossless, historyLines } = this.#attached;
      if (this.#unacknowledged >= windowBytes) {
        await this.#wake.wait();
      } else if (!lossless && this.#isFarBehind()) {
        this.#skipAhead();
      } else if (this.#cursor < log.endIndex) {
        // Half of what it takes at a time: it is never without work, and never busy for long with one piece.
        const bytes = Math.min(MAX_OUTPUT_FRAME_BYTES, windowBytes / 2);
        const records = log.read(this.#cursor, bytes);
        this.#send(records instanceof Promise ? await records : records);
      } else if (this.#sentOffset < log.totalBytes) {
        this.#sendOutput(log.readOpen(this.#sentOffset)!);
        this.#sentTsNs = log.lastTsNs;
      } else if (this.#isGlancing && (model.isGone || model.takenIndex === log.endIndex)) {
        // Only now that the program is quiet: whoever waits for the model waits for nothing else.
        await this.#sendState(historyLines);
      } else if (this.#session.completed && !this.#isGlancing) {
        this.#channel.notify('exited', this.#session.completed);
        // Who must have every byte has them when it says so.
        while (lossless && this.#unacknowledged > 0 && this.isAttached) await this.#wake.wait();
        this.#isServed = true;
        this.#served.fire();
        return;
      } else {
        this.#tellEnd();
        await this.#wake.wait();
      }
    }
  }

  /** Whoever waits for the true screen of a flood knows meanwhile that the program has ended. */
  #tellEnd(): void {
    if (!this.#session.completed || this.#knowsEnd) return;
    this.#knowsEnd = true;
    this.#channel.notify('ended', this.#session.completed);
  }

  #isFarBehind(): boolean {
    const { log, model, clock } = this.#session;
    if (model.isGone || log.totalBytes - this.#sentOffset < MAX_LAG_BYTES) return false;
    return clock.nowNs() - this.#sentTsNs >= MAX_LAG_NS;
  }

  /**
   * Goes on with the last lines of a flood. What they are shown on may be wrong for a while, a colour or a mode that was set
   * in between; the model makes it right when it has got there, which takes longer than a person waits for Ctrl-C.
   */
  #skipAhead(): void {
    const { log, model, recorder, answering } = this.#session;
    const index = log.tailIndex(GLANCE_BYTES);
    // In memory, so no promise.
    const records = log.read(index, GLANCE_BYTES) as readonly AhrRecord[];
    const output = records.find((record) => record.kind === 'data');
    this.#skipped.add(this.#cursor, index, model.takenIndex);
    this.#cursor = index;
    answering.skipped(this);
    this.#isGlancing = true;
    this.#sentTsNs = log.lastTsNs;
    this.#sentOffset = output
      ? output.startByteOffset + output.bytes.indexOf(LINE_FEED) + 1
      : log.totalBytes;
    this.#channel.notify('resized', recorder.size);
    this.#channel.notify('output', { byteOffset: this.#sentOffset }, CALM);
    this.#unacknowledged += CALM.length;
  }

  #send(records: readonly AhrRecord[]): void {
    let output: Uint8Array[] = [];
    const flush = () => {
      if (output.length > 0)
        this.#sendOutput(output.length === 1 ? output[0]! : Buffer.concat(output));
      output = [];
    };
    let offset = this.#sentOffset;
    for (const record of records) {
      if (record.kind === 'data') {
        // Its beginning may have been sent before it was a record.
        output.push(record.bytes.subarray(offset - record.startByteOffset));
        offset = record.startByteOffset + record.bytes.length;
      } else if (record.kind === 'resize') {
        flush();
        this.#channel.notify('resized', { cols: record.cols, rows: record.rows });
      }
    }
    flush();
    this.#cursor += records.length;
    this.#sentTsNs = records.at(-1)?.tsNs ?? this.#sentTsNs;
    this.#session.answering.shown(this);
  }

  #sendOutput(bytes: Uint8Array): void {
    const shown = this.#withoutQuestions(bytes);
    if (shown.length > 0) this.#channel.notify('output', { byteOffset: this.#sentOffset }, shown);
    this.#unacknowledged += shown.length;
    this.#sentOffset += bytes.length;
  }

  /** A terminal that is shown a question answers it; only one may. */
  #withoutQuestions(bytes: Uint8Array): Uint8Array {
    if (!this.#attached?.answersQueries) return bytes;
    if (!this.#session.answering.isAnswering(this)) return this.#questions.push(bytes);
    const held = this.#questions.flush();
    return held.length > 0 ? Buffer.concat([held, bytes]) : bytes;
  }
}
