import { NANOSECONDS_PER_MILLISECOND } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { Signal } from '../../base/signal.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { Channel } from '../../rpc/channel.ts';
import type {
  AttachParams,
  ClientProtocol,
  HostProtocol,
} from '../../sessions/common/recorderProtocol.ts';
import { EscapeFilter, isQuery } from '../../terminal/screen/escapeFilter.ts';
import type { AnsweringTerminal } from './queryArbiter.ts';
import type { SharedSession } from './sharedSession.ts';
import { SkippedRecords } from './skippedRecords.ts';
import { UnrecordedOutput } from './unrecordedOutput.ts';

const MAX_OUTPUT_FRAME_BYTES = 256 * 1024;
/** A terminal that lags by more than both limits skips output: it is too much to read anyway. */
const MAX_LAG_BYTES = 512 * 1024;
const MAX_LAG_NS = 50n * NANOSECONDS_PER_MILLISECOND;
/** How much of the latest output is shown after skipping: a few screens. */
const PREVIEW_BYTES = 32 * 1024;
/** Cancels an unfinished escape sequence and resets colors. */
const RESET = Buffer.from('\u0018\u001b[0m');
const LINE_FEED = 0x0a;

/** Sends output to an attached client at its own pace, so a slow client delays no other. */
export class ClientOutput implements Disposable, AnsweringTerminal {
  readonly #session: SharedSession;
  readonly #params: AttachParams;
  readonly #channel: Channel<HostProtocol, ClientProtocol>;
  readonly #resources = new DisposableStore();
  readonly #wake = new Signal();
  readonly #served = new Emitter<void>();
  readonly #queries = new EscapeFilter(isQuery);
  readonly #skipped = new SkippedRecords();
  readonly #unrecorded = new UnrecordedOutput();
  /**
   * Index of the first record sent as output. Infinite until the state is sent, so that the model
   * answers all queries before.
   */
  #startIndex = Infinity;
  #cursor = 0;
  #sentOffset = 0;
  /** When the program printed the bytes that were sent last. */
  #sentTsNs = 0n;
  #unacknowledgedBytes = 0;
  #isServed = false;
  #hasSentEnd = false;
  /** The client skipped output and shows a preview, which may differ from the real screen. */
  #isPreview = false;

  /** Fires when nothing is left to send. */
  readonly onDidServe = this.#served.event;

  constructor(
    session: SharedSession,
    params: AttachParams,
    channel: Channel<HostProtocol, ClientProtocol>,
  ) {
    this.#session = session;
    this.#params = params;
    this.#channel = channel;
    const wake = () => this.#wake.notify();
    this.#resources.add(session.log.onDidGrow(wake));
    this.#resources.add(
      session.recorder.onDidPrintUnrecorded((bytes) => {
        this.#unrecorded.add(session.log.endIndex, bytes);
        wake();
      }),
    );
    this.#resources.add(session.onDidComplete(wake));
    this.#resources.add(session.model.onDidCatchUp(wake));
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

  get isLossless(): boolean {
    return this.#params.lossless;
  }

  get isServed(): boolean {
    return this.#isServed;
  }

  acknowledge(bytes: number): void {
    this.#unacknowledgedBytes = Math.max(0, this.#unacknowledgedBytes - bytes);
    this.#wake.notify();
  }

  /** Sends the first state, then all output until the session is over. */
  async run(onDidSendState: () => void): Promise<void> {
    const { recorder, queryArbiter } = this.#session;
    if (this.#params.answersQueries) this.#resources.add(queryArbiter.add(this));
    if (this.#params.from === 'state') await this.#sendState();
    else this.#channel.notify('state', { ...recorder.size, byteOffset: 0 });
    this.#startIndex = this.#cursor;
    onDidSendState();
    await this.#pump();
  }

  dispose(): void {
    this.#resources.dispose();
    this.#wake.notify();
  }

  get #isDisposed(): boolean {
    return this.#resources.isDisposed;
  }

  /** Sends the current state and moves the cursor to the first record after it. */
  async #sendState(): Promise<void> {
    const { recorder, model, log, queryArbiter } = this.#session;
    const found = await model.state(this.#params.historyLines);
    // Without a model the client gets the whole session again: slow, but correct.
    const { place, state, endIndex } = found ?? {
      place: { ...recorder.size, byteOffset: 0 },
      state: new Uint8Array(),
      endIndex: 0,
    };
    this.#isPreview = false;
    this.#cursor = endIndex;
    queryArbiter.skipped(this);
    this.#sentOffset = place.byteOffset;
    this.#sentTsNs = log.lastTsNs;
    this.#unacknowledgedBytes += state.length;
    this.#channel.notify('state', place, state);
  }

  async #pump(): Promise<void> {
    const { windowBytes, lossless } = this.#params;
    const { log, model } = this.#session;
    while (!this.#isDisposed) {
      if (this.#unacknowledgedBytes >= windowBytes) {
        await this.#wake.wait();
      } else if (!lossless && this.#isFarBehind()) {
        this.#skipAhead();
      } else if (this.#cursor >= this.#unrecorded.nextIndex) {
        this.#sendBytes(this.#unrecorded.take());
      } else if (this.#cursor < log.endIndex) {
        // Half a window at a time: the client always has output to process, but never a large
        // piece.
        const bytes = Math.min(MAX_OUTPUT_FRAME_BYTES, windowBytes / 2);
        const records = log.read(this.#cursor, bytes);
        const read = records instanceof Promise ? await records : records;
        this.#sendRecords(read.slice(0, this.#unrecorded.nextIndex - this.#cursor));
      } else if (this.#sentOffset < log.totalBytes) {
        this.#sendOpenOutput();
      } else if (this.#isPreview && (model.isGone || model.takenIndex === log.endIndex)) {
        // Wait until the program is quiet: no output is sent while the state is prepared.
        await this.#sendState();
      } else if (this.#session.completed && !this.#isPreview) {
        this.#channel.notify('exited', this.#session.completed);
        // A lossless client has received every byte only when it has acknowledged all of them.
        while (lossless && this.#unacknowledgedBytes > 0 && !this.#isDisposed)
          await this.#wake.wait();
        this.#isServed = true;
        this.#served.fire();
        return;
      } else {
        this.#sendEnd();
        await this.#wake.wait();
      }
    }
  }

  /** Tells a client that the program has ended, even if the client still lacks the real screen. */
  #sendEnd(): void {
    if (!this.#session.completed || this.#hasSentEnd) return;
    this.#hasSentEnd = true;
    this.#channel.notify('ended', this.#session.completed);
  }

  #isFarBehind(): boolean {
    const { log, model, clock } = this.#session;
    if (model.isGone || log.totalBytes - this.#sentOffset < MAX_LAG_BYTES) return false;
    return clock.nowNs() - this.#sentTsNs >= MAX_LAG_NS;
  }

  /**
   * Skips to the last lines of a flood. Their colors or modes may be wrong, because the sequences
   * that set them were skipped; the state of the model corrects them later. Sending that state now
   * would take longer than a user wants to wait after Ctrl-C.
   */
  #skipAhead(): void {
    const { log, model, recorder, queryArbiter } = this.#session;
    const index = log.tailIndex(PREVIEW_BYTES);
    // The tail is in memory, so `read` returns no promise.
    const records = log.read(index, PREVIEW_BYTES) as readonly AhrRecord[];
    const output = records.find((record) => record.kind === 'data');
    this.#skipped.add(this.#cursor, index, model.takenIndex);
    this.#cursor = index;
    queryArbiter.skipped(this);
    this.#isPreview = true;
    this.#unrecorded.clear();
    this.#sentTsNs = log.lastTsNs;
    this.#sentOffset = output
      ? output.startByteOffset + output.bytes.indexOf(LINE_FEED) + 1
      : log.totalBytes;
    this.#channel.notify('resized', recorder.size);
    this.#channel.notify('output', { byteOffset: this.#sentOffset }, RESET);
    this.#unacknowledgedBytes += RESET.length;
  }

  #sendRecords(records: readonly AhrRecord[]): void {
    let output: Uint8Array[] = [];
    const flush = () => {
      const [only] = output;
      if (only) this.#sendOutput(output.length === 1 ? only : Buffer.concat(output));
      output = [];
    };
    let offset = this.#sentOffset;
    for (const record of records) {
      if (record.kind === 'data') {
        // The record's first bytes may have been sent before they became part of it.
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
    this.#session.queryArbiter.shown(this);
  }

  /** Sends output that is not in a record yet. */
  #sendOpenOutput(): void {
    const { log } = this.#session;
    const bytes = log.readOpen(this.#sentOffset);
    if (!bytes) throw new Error(`Byte ${this.#sentOffset} is in no record and not open.`);
    this.#sendOutput(bytes);
    this.#sentTsNs = log.lastTsNs;
  }

  #sendOutput(bytes: Uint8Array): void {
    this.#sendBytes(bytes);
    this.#sentOffset += bytes.length;
  }

  #sendBytes(bytes: Uint8Array): void {
    const shown = this.#withoutQueries(bytes);
    if (shown.length > 0) this.#channel.notify('output', { byteOffset: this.#sentOffset }, shown);
    this.#unacknowledgedBytes += shown.length;
  }

  /** Removes queries unless this terminal answers them: two terminals would answer twice. */
  #withoutQueries(bytes: Uint8Array): Uint8Array {
    if (!this.#params.answersQueries) return bytes;
    if (!this.#session.queryArbiter.isAnswering(this)) return this.#queries.push(bytes);
    const held = this.#queries.flush();
    return held.length > 0 ? Buffer.concat([held, bytes]) : bytes;
  }
}
