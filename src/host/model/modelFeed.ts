import { Worker } from 'node:worker_threads';
import { ByteWriter } from '../../base/bytes.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Signal } from '../../base/signal.ts';
import { encodeRecord } from '../../recording/format/segment.ts';
import { ThreadTransport } from '../../platform/node/transports/threadTransport.ts';
import { Channel } from '../../rpc/channel.ts';
import type { SessionLog } from '../sessionLog.ts';
import type {
  ModelClientProtocol,
  ModelThreadProtocol,
  ModelWorkerData,
  ReplyBody,
  StateBody,
  TakenBody,
} from './modelProtocol.ts';

/**
 * Output per message to the model: small enough that a request for the state does not wait long,
 * large enough that few messages are needed.
 */
const BATCH_BYTES = 256 * 1024;
/** If the model lags by more than this, the output is a flood, which no user can read. */
const FLOOD_LAG_BYTES = 1024 * 1024;
/** A flood is over when less than this arrives between two checks. Until then, the model waits. */
const CALM_BYTES = 128 * 1024;
const CALM_CHECK_MS = 50;
/** Limits the unparsed output, because the recorder can't exit before the model has parsed it. */
const MAX_LAG_BYTES = 256 * 1024 * 1024;
/** The model's thread takes a while to load: let the program start first. */
const START_DELAY_MS = 100;

export interface ModelState extends StateBody {
  readonly state: Uint8Array;
}

type ModelChannel = Channel<ModelClientProtocol, ModelThreadProtocol>;

/**
 * Feeds the log to the terminal model on its own thread, because parsing is far slower than reading
 * and must not slow the program. During a flood of output the model lags, then catches up from the
 * recording.
 */
export class ModelFeed implements Disposable {
  readonly #log: SessionLog;
  readonly #workerFile: string;
  readonly #workerData: ModelWorkerData;
  readonly #replies = new Emitter<{ index: number; bytes: Uint8Array }>();
  readonly #failures = new Emitter<Error>();
  readonly #caughtUp = new Emitter<void>();
  readonly #grown = new Signal();
  readonly #taken = new Signal();
  #sentIndex = 0;
  #sentBytes = 0;
  /** Number of callers that wait for the model to catch up. */
  #waitingCallers = 0;
  #takenIndex = 0;
  /** Whether the model was disposed of or its thread failed. */
  #isGone = false;
  #channel: ModelChannel | undefined;

  /** Fires when the model has failed because of a bug; the recording continues without it. */
  readonly onDidFail = this.#failures.event;
  /** Fires when the model has every record of the log. */
  readonly onDidCatchUp = this.#caughtUp.event;
  /** Fires with the model's answer to a query that the program sent in a record. */
  readonly onReply = this.#replies.event;

  constructor(log: SessionLog, workerFile: string, data: ModelWorkerData) {
    this.#log = log;
    this.#workerFile = workerFile;
    this.#workerData = data;
    log.onDidGrow(() => this.#grown.notify());
    void this.#pump();
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Output that the model has not received yet. */
  get lagBytes(): number {
    return this.#log.totalBytes - this.#sentBytes;
  }

  /** The model has parsed every record before this one. */
  get takenIndex(): number {
    return this.#takenIndex;
  }

  /** The terminal's state at the log's end or slightly later; undefined without a model. */
  async state(historyLines: number): Promise<ModelState | undefined> {
    this.#log.seal();
    await this.catchUp();
    const reply = await this.#ask((channel) => channel.request('state', { historyLines }));
    return reply?.binary && { ...reply.body, state: reply.binary };
  }

  /** Returns when the model has everything in the log now, or has failed. */
  async catchUp(): Promise<void> {
    await this.#catchUp(this.#log.endIndex);
  }

  /** Parses the log to its end and completes the keyframes. */
  async finish(): Promise<void> {
    await this.catchUp();
    await this.#ask((channel) => channel.request('finish', null));
  }

  dispose(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#channel?.dispose();
    // Callers that wait for the model continue without it.
    this.#grown.notify();
    this.#taken.notify();
    this.#caughtUp.fire();
  }

  #fail(error: Error): void {
    if (this.#isGone) return;
    this.#failures.fire(error);
    this.dispose();
  }

  /** @returns undefined if the model is gone */
  async #ask<T>(request: (channel: ModelChannel) => Promise<T>): Promise<T | undefined> {
    if (this.#isGone || !this.#channel) return undefined;
    try {
      return await request(this.#channel);
    } catch (error) {
      this.#fail(error as Error);
      return undefined;
    }
  }

  async #start(): Promise<void> {
    if (!this.#isNeeded) {
      // Check a flag, not the elapsed time: Node's timers may fire slightly early.
      const delay = { isOver: false };
      const timer = setTimeout(() => {
        delay.isOver = true;
        this.#grown.notify();
      }, START_DELAY_MS);
      while (!this.#isNeeded && !delay.isOver) await this.#grown.wait();
      clearTimeout(timer);
      await this.#calm();
    }
    if (this.#isGone) return;
    const worker = new Worker(this.#workerFile, { workerData: this.#workerData });
    const transport = new ThreadTransport(worker, { transfersBinaries: true });
    this.#channel = new Channel<ModelClientProtocol, ModelThreadProtocol>(
      transport,
      {},
      {
        taken: (body) => {
          this.#takenIndex = (body as TakenBody).endIndex;
          this.#taken.notify();
        },
        reply: (body, bytes = new Uint8Array()) =>
          this.#replies.fire({ index: (body as ReplyBody).index, bytes }),
      },
    );
    transport.onClose((error) => this.#fail(error));
    this.#taken.notify();
  }

  async #catchUp(index: number): Promise<void> {
    this.#waitingCallers++;
    this.#grown.notify();
    const isBehind = () => !this.#channel || this.#sentIndex < index;
    while (isBehind() && !this.#isGone) await this.#taken.wait();
    this.#waitingCallers--;
  }

  async #pump(): Promise<void> {
    await this.#start();
    while (!this.#isGone) {
      if (this.#sentIndex === this.#log.endIndex) {
        this.#caughtUp.fire();
        await this.#grown.wait();
        continue;
      }
      await this.#calm();
      const records = await this.#log.read(this.#sentIndex, BATCH_BYTES);
      const firstIndex = this.#sentIndex;
      this.#sentIndex += records.length;
      const segment = new ByteWriter(BATCH_BYTES);
      for (const record of records) {
        encodeRecord(segment, record);
        if (record.kind === 'data') this.#sentBytes += record.bytes.length;
      }
      this.#channel?.notify('records', { firstIndex }, segment.toBytes());
      while (this.#takenIndex < this.#sentIndex && !this.#isGone) await this.#taken.wait();
    }
  }

  /** Waits for a flood of output to end, unless a caller waits for the model. */
  async #calm(): Promise<void> {
    for (;;) {
      const bytes = this.#log.totalBytes;
      const lag = this.lagBytes;
      if (this.#isNeeded || lag < FLOOD_LAG_BYTES || lag > MAX_LAG_BYTES) return;
      await new Promise((resolve) => setTimeout(resolve, CALM_CHECK_MS));
      if (this.#log.totalBytes - bytes < CALM_BYTES) return;
    }
  }

  get #isNeeded(): boolean {
    return this.#waitingCallers > 0;
  }
}
