import { Worker } from 'node:worker_threads';
import { ByteWriter } from '../../base/bytes.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Signal } from '../../base/signal.ts';
import { encodeRecord } from '../../recording/format/segment.ts';
import type { TerminalPlace } from '../../sessions/common/recorderProtocol.ts';
import type { FromModel, ModelWorkerData, ToModel } from './modelProtocol.ts';
import type { SessionLog } from '../sessionLog.ts';

/** Small enough that a state is not kept waiting, large enough that messages cost nothing. */
const BATCH_BYTES = 256 * 1024;
/** A model that lags by more than this is in a flood of output, which nobody reads while it passes. */
const FLOOD_LAG_BYTES = 1024 * 1024;
/** Output faster than this per look is a flood still going on: the processor is left to the program and the recording. */
const CALM_BYTES = 128 * 1024;
const CALM_LOOK_MS = 50;
/** Parsing can be put off, not for ever: it has to be done before the host may leave. */
const MAX_LAG_BYTES = 256 * 1024 * 1024;
/** The model's thread takes a while to load: a program that starts comes first. */
const START_DELAY_MS = 100;

export interface ModelState {
  readonly endIndex: number;
  readonly place: TerminalPlace;
  readonly state: Uint8Array;
}

/**
 * Feeds the log to the terminal model, which lives on a thread of its own: parsing is far slower than reading, and must
 * not slow the program. The model may lag during a flood of output; it catches up from the recording.
 */
export class ModelFeed implements Disposable {
  readonly #log: SessionLog;
  readonly #workerFile: string;
  readonly #workerData: ModelWorkerData;
  readonly #replies = new Emitter<{ index: number; bytes: Uint8Array }>();
  readonly #failures = new Emitter<Error>();
  readonly #caughtUp = new Emitter<void>();
  readonly #states = new Map<number, (state: ModelState | undefined) => void>();
  readonly #grown = new Signal();
  readonly #taken = new Signal();
  readonly #finished = new Signal();
  #sentIndex = 0;
  #sentBytes = 0;
  /** How many wait for the model to have caught up. */
  #wanted = 0;
  #takenIndex = 0;
  #nextStateId = 1;
  /** Disposed, or its thread died of a bug: there is no model any more. */
  #isGone = false;
  #worker: Worker | undefined;

  /** The model died of a bug; recording goes on without it. */
  readonly onDidFail = this.#failures.event;
  /** It has every record there is. */
  readonly onDidCatchUp = this.#caughtUp.event;
  /** How the model would answer what the program asked in a record. */
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

  /** How much output it has not taken yet. */
  get lagBytes(): number {
    return this.#log.totalBytes - this.#sentBytes;
  }

  /** Every record before it has been dealt with. */
  get takenIndex(): number {
    return this.#takenIndex;
  }

  /** The terminal's state after all that is in the log now, or a little later. Nothing when the model is gone. */
  async state(historyLines: number): Promise<ModelState | undefined> {
    this.#log.seal();
    await this.#catchUp(this.#log.endIndex);
    if (this.#isGone) return undefined;
    const id = this.#nextStateId++;
    return new Promise((resolve) => {
      this.#states.set(id, resolve);
      this.#post({ kind: 'state', id, historyLines });
    });
  }

  /** Returns when it has all that is in the log now, or is gone. */
  async catchUp(): Promise<void> {
    await this.#catchUp(this.#log.endIndex);
  }

  /** Parses the log to its end and completes the keyframes. */
  async finish(): Promise<void> {
    await this.catchUp();
    if (this.#isGone) return;
    const done = this.#finished.wait();
    this.#post({ kind: 'finish' });
    await done;
  }

  dispose(): void {
    this.#leave();
    void this.#worker?.terminate();
  }

  /** Lets nobody wait for a model that is gone. */
  #leave(): void {
    this.#isGone = true;
    this.#grown.notify();
    this.#taken.notify();
    this.#finished.notify();
    for (const resolve of this.#states.values()) resolve(undefined);
    this.#states.clear();
    this.#caughtUp.fire();
  }

  async #start(): Promise<void> {
    if (!this.#isNeeded) {
      // A flag, not the time that passed: Node's timers may fire a fraction of a millisecond early.
      const delay = { isOver: false };
      const timer = setTimeout(() => {
        delay.isOver = true;
        this.#grown.notify();
      }, START_DELAY_MS);
      while (!this.#isNeeded && !delay.isOver) await this.#grown.wait();
      clearTimeout(timer);
      await this.#calm();
    }
    this.#worker = new Worker(this.#workerFile, { workerData: this.#workerData });
    this.#worker.on('message', (message: FromModel) => this.#receive(message));
    this.#worker.on('error', (error: Error) => {
      this.#failures.fire(error);
      this.#leave();
    });
  }

  async #catchUp(index: number): Promise<void> {
    this.#wanted++;
    this.#grown.notify();
    while (this.#sentIndex < index && !this.#isGone) await this.#taken.wait();
    this.#wanted--;
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
      const bytes = segment.toBytes();
      this.#post({ kind: 'records', firstIndex, segment: bytes }, [bytes.buffer]);
      while (this.#takenIndex < this.#sentIndex && !this.#isGone) await this.#taken.wait();
    }
  }

  /** Waits while output floods in, unless somebody waits for the model. */
  async #calm(): Promise<void> {
    for (;;) {
      const bytes = this.#log.totalBytes;
      const lag = this.lagBytes;
      if (this.#isNeeded || lag < FLOOD_LAG_BYTES || lag > MAX_LAG_BYTES) return;
      await new Promise((resolve) => setTimeout(resolve, CALM_LOOK_MS));
      if (this.#log.totalBytes - bytes < CALM_BYTES) return;
    }
  }

  get #isNeeded(): boolean {
    return this.#wanted > 0;
  }

  #post(message: ToModel, handedOver: ArrayBuffer[] = []): void {
    if (!this.#isGone) this.#worker?.postMessage(message, handedOver);
  }

  #receive(message: FromModel): void {
    switch (message.kind) {
      case 'taken':
        this.#takenIndex = message.endIndex;
        this.#taken.notify();
        break;
      case 'reply':
        this.#replies.fire(message);
        break;
      case 'state':
        this.#states.get(message.id)?.(message);
        this.#states.delete(message.id);
        break;
      case 'finished':
        this.#finished.notify();
        break;
    }
  }
}
