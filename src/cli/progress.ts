import type { RecordingReader } from '../recording/read/reader.ts';
import type { RecordSource } from '../terminal/keyframes/frames.ts';

const SHOW_AFTER_MS = 1000;
const REDRAW_MS = 100;
const BAR_CELLS = 30;

/** Shows a progress bar on standard error, if that is a terminal; appears after a second. */
export class Progress {
  readonly #label: string;
  readonly #startedMs = performance.now();
  #drawnMs = 0;
  #isShown = false;

  constructor(label: string) {
    this.#label = label;
  }

  /** @param share the completed share of the work, 0 to 1 */
  update(share: number): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - this.#startedMs < SHOW_AFTER_MS) return;
    if (nowMs - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = nowMs;
    this.#isShown = true;
    const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_CELLS);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
    process.stderr.write(
      `\r${this.#label} ${bar} ${String(Math.round(share * 100)).padStart(3)} %`,
    );
  }

  done(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K');
    this.#isShown = false;
  }
}

/** Shows the current step on standard error, if that is a terminal; appears after a second. */
export class StepLine {
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  update(text: string): void {
    this.#text = text;
    if (!process.stderr.isTTY) return;
    if (this.#isShown) this.#draw();
    else this.#timer ??= setTimeout(() => this.#draw(), SHOW_AFTER_MS);
  }

  done(): void {
    clearTimeout(this.#timer);
    if (this.#isShown) process.stderr.write('\r\x1b[K');
    this.#isShown = false;
  }

  #draw(): void {
    this.#isShown = true;
    const columns = process.stderr.columns || 80;
    process.stderr.write(`\r\x1b[K${this.#text.slice(0, columns - 1)}`);
  }
}

/** Shows a progress bar while the records are read. */
export function withProgress(reader: RecordingReader, label: string): RecordSource {
  return {
    async *records(range) {
      const progress = new Progress(label);
      try {
        for await (const { records, block } of reader.blocksOf(range)) {
          yield* records;
          progress.update((block.firstRecordIndex + block.recordCount) / reader.recordCount);
        }
      } finally {
        progress.done();
      }
    },
  };
}
