// Runs the terminal model on its own thread: see modelFeed.ts.
import { readlinkSync } from 'node:fs';
import os from 'node:os';
import { workerData } from 'node:worker_threads';
import { parentTransport } from '../../platform/node/transports/threadTransport.ts';
import { decodeSegment } from '../../recording/format/segment.ts';
import { Channel } from '../../rpc/channel.ts';
import { KeyframeSchedule } from '../../terminal/keyframes/keyframeSchedule.ts';
import { recordingFingerprint } from '../../terminal/keyframes/keyframeStore.ts';
import { playRecord } from '../../terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../terminal/screen/terminalModel.ts';
import { KeyframesFile } from './keyframesFile.ts';
import type {
  ModelClientProtocol,
  ModelThreadProtocol,
  ModelWorkerData,
  RecordsBody,
  StateParams,
} from './modelProtocol.ts';

class ModelThread {
  readonly #model: TerminalModel;
  readonly #schedule = new KeyframeSchedule();
  readonly #keyframes: KeyframesFile | undefined;
  readonly #channel: Channel<ModelThreadProtocol, ModelClientProtocol>;
  #nextIndex = 0;

  constructor({ keyframesFile, unicodeVersion, scrollbackLines, ...size }: ModelWorkerData) {
    this.#model = new TerminalModel({ size, unicodeVersion, historyLines: scrollbackLines });
    this.#keyframes = keyframesFile
      ? new KeyframesFile(keyframesFile, (first) =>
          recordingFingerprint(size, first, unicodeVersion),
        )
      : undefined;
    this.#channel = new Channel<ModelThreadProtocol, ModelClientProtocol>(
      parentTransport(),
      {
        state: (params) => Promise.resolve(this.#state(params as StateParams)),
        finish: async () => {
          await this.#keyframes?.close();
          return { body: null };
        },
      },
      { records: (body, segment) => this.#take(body as RecordsBody, segment) },
    );
    this.#model.onReply((bytes) =>
      this.#channel.notify('reply', { index: this.#nextIndex }, bytes),
    );
  }

  #take({ firstIndex }: RecordsBody, segment: Uint8Array = new Uint8Array()): void {
    this.#nextIndex = firstIndex;
    for (const record of decodeSegment(segment).records) {
      playRecord(this.#model, record);
      const keyframe = this.#schedule.afterRecord(this.#model, record);
      this.#keyframes?.add(record, keyframe);
      this.#nextIndex++;
    }
    this.#channel.notify('taken', { endIndex: this.#nextIndex });
  }

  #state({ historyLines }: StateParams) {
    const place = { ...this.#model.size, byteOffset: this.#model.byteOffset };
    return {
      body: { endIndex: this.#nextIndex, place },
      binary: this.#model.serializeState({ historyLines }),
    };
  }
}

/**
 * Gives the program and the recording priority over parsing. Only Linux has priorities per thread.
 */
function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    os.setPriority(thread, os.constants.priority.PRIORITY_LOW);
  } catch {
    // Changing the priority is not permitted here; the model also works at normal priority.
  }
}

lowerThreadPriority();
new ModelThread(workerData as ModelWorkerData);
