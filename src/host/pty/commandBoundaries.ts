import { CommandMarkScanner } from '../../timeline/common/moments/commandMarks.ts';

/**
 * The starts of marks, without the escape character: agents print thousands of these, and the
 * search would stop at each.
 */
const INTRODUCERS = [Buffer.from(']133;'), Buffer.from(']633;')];
/** Length of the longest incomplete introducer at the end of a chunk. */
const TAIL_BYTES = '\x1b]133'.length;

/**
 * Detects the ends of commands in shells with shell integration. Stays fast in a flood of output.
 */
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
      // Shells also report "finished" before the first prompt and after an empty line.
      if (kind === 'finished' && this.#isRunning) this.#onFinished(this.#command);
      this.#isRunning = kind === 'started';
      this.#command = command;
    }
  }
}

/**
 * Where the first mark may start. The last bytes always count, as they may be an incomplete mark.
 */
function firstPossibleMark(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let first = bytes.length - TAIL_BYTES;
  for (const introducer of INTRODUCERS) {
    const at = bytes.indexOf(introducer);
    if (at >= 0 && at <= first) first = at - 1;
  }
  return Math.max(0, first);
}
