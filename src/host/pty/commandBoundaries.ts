import { CommandMarkScanner } from '../../timeline/common/commandMarks.ts';

/** Without the escape before them, which agents print by the thousand: a search stops at every first byte. */
const INTRODUCERS = [Buffer.from(']133;'), Buffer.from(']633;')];
/** As long as the longest beginning of a mark that does not show it yet. */
const TAIL_BYTES = '\x1b]133'.length;

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
    const from = this.#scanner.isWaiting ? 0 : firstPossibleMark(chunk);
    for (const { kind, command } of this.#scanner.scan(chunk.subarray(from), from)) {
      // A shell says "finished" before its first prompt too, and after an empty line.
      if (kind === 'finished' && this.#isRunning) this.#onFinished(this.#command);
      this.#isRunning = kind === 'started';
      this.#command = command;
    }
  }
}

/** Where one may begin; in the last bytes at the latest, for one may be cut there. */
function firstPossibleMark(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let first = bytes.length - TAIL_BYTES;
  for (const introducer of INTRODUCERS) {
    const at = bytes.indexOf(introducer);
    if (at >= 0 && at <= first) first = at - 1;
  }
  return Math.max(0, first);
}
