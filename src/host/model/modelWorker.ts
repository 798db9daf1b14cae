import { readlinkSync } from 'node:fs';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { decodeSegment } from '../../recording/format/segment.ts';
import { KeyframeSchedule } from '../../terminal/keyframes/keyframeSchedule.ts';
import { playRecord } from '../../terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../terminal/screen/terminalModel.ts';
import { KeyframesFile } from './keyframesFile.ts';
import type { FromModel, ModelWorkerData, ToModel } from './modelProtocol.ts';

/** Scrollback that can be shown to a client that attaches. */
const HISTORY_LINES = 10_000;

/** The terminal model on its own thread: takes records, answers questions, and says what the screen looks like. */
class ModelThread {
  readonly #model: TerminalModel;
  readonly #schedule = new KeyframeSchedule();
  readonly #keyframes: KeyframesFile | undefined;
  readonly #port = parentPort!;
  /** Of the next record. */
  #index = 0;

  constructor({ cols, rows, keyframesFile }: ModelWorkerData) {
    this.#model = new TerminalModel({ size: { cols, rows }, historyLines: HISTORY_LINES });
    this.#keyframes = keyframesFile ? new KeyframesFile(keyframesFile, { cols, rows }) : undefined;
    this.#model.onReply((bytes) => {
      this.#post({ kind: 'reply', index: this.#index, bytes });
    });
    this.#port.on('message', (message: ToModel) => this.#receive(message));
  }

  #receive(message: ToModel): void {
    switch (message.kind) {
      case 'records':
        this.#take(message.segment, message.firstIndex);
        this.#post({ kind: 'taken', endIndex: this.#index });
        break;
      case 'state':
        this.#sendState(message.id, message.historyLines);
        break;
      case 'finish':
        void (this.#keyframes?.close() ?? Promise.resolve()).then(() =>
          this.#post({ kind: 'finished' }),
        );
        break;
    }
  }

  #take(segment: Uint8Array, firstIndex: number): void {
    this.#index = firstIndex;
    for (const record of decodeSegment(segment).records) {
      playRecord(this.#model, record);
      const keyframe = this.#schedule.afterRecord(this.#model, record);
      this.#keyframes?.add(record, keyframe);
      this.#index++;
    }
  }

  #sendState(id: number, historyLines: number): void {
    this.#post({
      kind: 'state',
      id,
      endIndex: this.#index,
      place: { ...this.#model.size, byteOffset: this.#model.byteOffset },
      state: this.#model.serializeState({ historyLines }),
    });
  }

  #post(message: FromModel): void {
    this.#port.postMessage(message);
  }
}

/** Parsing yields to the program and to the recording; Linux gives each thread a priority of its own. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    os.setPriority(thread, os.constants.priority.PRIORITY_LOW);
  } catch {
    // It works at normal priority too.
  }
}

yieldToOthers();
new ModelThread(workerData as ModelWorkerData);
