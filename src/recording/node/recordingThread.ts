import { Worker } from 'node:worker_threads';
import { Emitter } from '../../base/emitter.ts';
import { errorCode, messageOf, UserError } from '../../base/errors.ts';
import { ThreadTransport } from '../../platform/node/transports/threadTransport.ts';
import { Channel } from '../../rpc/channel.ts';
import type {
  OpenRecording,
  RecordedItems,
  RecordedState,
} from '../../terminal/lines/recordingContent.ts';
import type {
  RecordingClientProtocol,
  RecordingThreadData,
  RecordingThreadProtocol,
  RefreshParams,
} from './recordingProtocol.ts';

/**
 * Where the recording is: in a file that the thread reads itself, or elsewhere; then we read it
 * here and send its bytes to the thread.
 */
export type RecordingPlace =
  | { readonly file: string }
  /** @returns undefined if the file has not changed; throws a `UserError` if it cannot be read */
  | { readonly readIfChanged: () => Promise<Uint8Array | undefined> };

/**
 * Reads a recording on its own thread: playing a long one takes seconds and would block the
 * extension.
 */
export class RecordingThread implements OpenRecording {
  readonly #place: RecordingPlace;
  readonly #channel: Channel<RecordingClientProtocol, RecordingThreadProtocol>;
  readonly #changes = new Emitter<RecordedState>();

  readonly onDidChange = this.#changes.event;

  /** @param workerFile the bundle of `recordingWorker.ts` */
  constructor(workerFile: string, place: RecordingPlace) {
    this.#place = place;
    const workerData: RecordingThreadData = { file: 'file' in place ? place.file : undefined };
    this.#channel = new Channel(
      new ThreadTransport(new Worker(workerFile, { workerData })),
      {},
      { state: (state) => this.#changes.fire(state as RecordedState) },
    );
  }

  async refresh(): Promise<void> {
    if ('file' in this.#place) return this.#refresh({});
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.#place.readIfChanged();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return this.#refresh({ failure: { code: error.code, message: error.message } });
    }
    await this.#refresh({}, bytes);
  }

  async items(from: number, to: number): Promise<RecordedItems> {
    return (await this.#channel.request('items', { from, to })).body;
  }

  dispose(): void {
    this.#channel.dispose();
    this.#changes.dispose();
  }

  async #refresh(params: RefreshParams, bytes?: Uint8Array): Promise<void> {
    try {
      await this.#channel.request('refresh', params, bytes);
    } catch (error) {
      // `internal` means a bug in the thread: throw a plain error, so that it is logged like other
      // bugs.
      if (errorCode(error) === 'internal') throw new Error(messageOf(error), { cause: error });
      throw error;
    }
  }
}
