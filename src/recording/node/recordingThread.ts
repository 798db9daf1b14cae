import { Worker } from 'node:worker_threads';
import { Emitter } from '../../base/emitter.ts';
import { UserError } from '../../base/errors.ts';
import type {
  OpenRecording,
  ReadFailure,
  RecordedItems,
  RecordedState,
} from '../../terminal/lines/recordingContent.ts';

/** Where the recording is: in a file that the thread reads, or wherever this reads whole files from. */
export type RecordingPlace =
  | { readonly file: string }
  /** @returns undefined when it is as it was; throws a `UserError` when it cannot be read */
  | { readonly readIfChanged: () => Promise<Uint8Array | undefined> };

export interface RecordingThreadData {
  /** Undefined when bytes are sent. */
  readonly file: string | undefined;
}

/** What was read for the thread. */
export type SentFile = { readonly bytes: Uint8Array } | { readonly failure: ReadFailure };

export type ToRecordingThread =
  | { readonly id: number; readonly ask: 'refresh'; readonly sent: SentFile | undefined }
  | { readonly id: number; readonly ask: 'items'; readonly from: number; readonly to: number };

export type FromRecordingThread =
  | { readonly state: RecordedState }
  | { readonly id: number; readonly items?: RecordedItems }
  | { readonly id: number; readonly error: string };

interface Waiting {
  resolve(items: RecordedItems | undefined): void;
  reject(error: Error): void;
}

/** A recording that is read on a thread of its own: playing a long one takes seconds, in which nothing else would run. */
export class RecordingThread implements OpenRecording {
  readonly #place: RecordingPlace;
  readonly #worker: Worker;
  readonly #changes = new Emitter<RecordedState>();
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #failure: Error | undefined;

  readonly onDidChange = this.#changes.event;

  /** @param workerFile the bundle of `recordingWorker.ts` */
  constructor(workerFile: string, place: RecordingPlace) {
    this.#place = place;
    const workerData: RecordingThreadData = { file: 'file' in place ? place.file : undefined };
    this.#worker = new Worker(workerFile, { workerData });
    this.#worker.on('message', (message: FromRecordingThread) => this.#receive(message));
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('The thread of the recording has ended.')));
  }

  async refresh(): Promise<void> {
    const sent = await this.#read();
    await this.#ask((id) => ({ id, ask: 'refresh', sent }));
  }

  async items(from: number, to: number): Promise<RecordedItems> {
    return (await this.#ask((id) => ({ id, ask: 'items', from, to })))!;
  }

  dispose(): void {
    this.#fail(new UserError('closed', 'The recording was closed.'));
    this.#changes.dispose();
    void this.#worker.terminate();
  }

  async #read(): Promise<SentFile | undefined> {
    if ('file' in this.#place) return undefined;
    try {
      const bytes = await this.#place.readIfChanged();
      return bytes && { bytes };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return { failure: { code: error.code, message: error.message } };
    }
  }

  #ask(question: (id: number) => ToRecordingThread): Promise<RecordedItems | undefined> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(question(id));
    });
  }

  #receive(message: FromRecordingThread): void {
    if ('state' in message) return this.#changes.fire(message.state);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.items);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}
