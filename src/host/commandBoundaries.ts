import { CommandMarkScanner } from '../replay/commandMarks.ts';

const ESCAPE = 0x1b;
/** Longer than the beginning of a mark: one that is cut there is seen from its first byte on. */
const TAIL_BYTES = 6;

/** Notices when a command of a shell with shell integration has ended. Costs next to nothing in a flood of other output. */
export class CommandBoundaries {
  readonly #scanner = new CommandMarkScanner();
  readonly #onFinished: (command: string | undefined) => void;
  #command: string | undefined;
  #isRunning = false;

  constructor(onFinished: (command: string | undefined) => void) {
    this.#onFinished = onFinished;
  }

  push(chunk: Uint8Array): void {
    if (!this.#scanner.isWaiting && !mayHoldMark(chunk)) return;
    for (const { kind, command } of this.#scanner.scan(chunk, 0)) {
      // A shell says "finished" before its first prompt too, and after an empty line.
      if (kind === 'finished' && this.#isRunning) this.#onFinished(this.#command);
      this.#isRunning = kind === 'started';
      this.#command = command;
    }
  }
}

function mayHoldMark(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (bytes.includes('\x1b]133;') || bytes.includes('\x1b]633;')) return true;
  return bytes.subarray(-TAIL_BYTES).includes(ESCAPE);
}
