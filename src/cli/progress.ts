import type { RecordingReader } from '../recording/read/reader.ts';
import type { RecordSource } from '../terminal/keyframes/frames.ts';

const SHOW_AFTER_MS = 1000;
const REDRAW_MS = 100;
const BAR_CELLS = 30;

/** A progress bar on standard error, for people only: shown once the work has taken a second, and gone when it is done. */
export class Progress {
  readonly #label: string;
  readonly #startedMs = performance.now();
  #drawnMs = 0;
  #isShown = false;

  constructor(label: string) {
    this.#label = label;
  }

  /** @param share of the work that is done, 0 to 1 */
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

/** What is being done, on a line of standard error, for people only: shown once the work has taken a second, and gone when it is done. */
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

/** The same records, with a progress bar while they are read. */
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
