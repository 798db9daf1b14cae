import type { Disposable } from '../../base/lifecycle.ts';

/** A client that is a terminal, and so answers the questions in the output it is shown. */
export interface AnsweringTerminal {
  /** Index of the first record it is shown as output; earlier ones reached it as a state, in which nothing is asked. */
  readonly startIndex: number;
  /** Index of the next record to be shown to it. */
  readonly cursor: number;
  /** Whether it was never shown this record, for it lagged, and was taken past it. */
  hasSkipped(index: number): boolean;
}

/**
 * Sees to it that each question of the program to its terminal is answered once: by the terminal that attached first, or by
 * the model where that terminal is not shown the question, or where there is none.
 */
export class QueryArbiter {
  readonly #answer: (bytes: Uint8Array) => void;
  #terminals: AnsweringTerminal[] = [];
  /** The model's answers to questions that the terminal has not been shown yet. */
  #held: { index: number; bytes: Uint8Array }[] = [];

  constructor(answer: (bytes: Uint8Array) => void) {
    this.#answer = answer;
  }

  add(terminal: AnsweringTerminal): Disposable {
    this.#terminals.push(terminal);
    return { dispose: () => this.#remove(terminal) };
  }

  /** Whether this is the terminal that answers; others must not be shown questions. */
  isAnswering(terminal: AnsweringTerminal): boolean {
    return this.#terminals[0] === terminal;
  }

  /** The model would answer a question in the record with this index so. */
  modelAnswered(index: number, bytes: Uint8Array): void {
    const [terminal] = this.#terminals;
    if (!terminal || index < terminal.startIndex || terminal.hasSkipped(index)) this.#answer(bytes);
    else if (index >= terminal.cursor) this.#held.push({ index, bytes });
  }

  /** The terminal was shown everything up to its cursor. */
  shown(terminal: AnsweringTerminal): void {
    if (this.#held.length === 0 || !this.isAnswering(terminal)) return;
    this.#held = this.#held.filter(({ index }) => index >= terminal.cursor);
  }

  /** The terminal lagged and is never shown what came before its new cursor. */
  skipped(terminal: AnsweringTerminal): void {
    if (!this.isAnswering(terminal)) return;
    this.#release(({ index }) => index < terminal.cursor);
  }

  #remove(terminal: AnsweringTerminal): void {
    const wasAnswering = this.isAnswering(terminal);
    this.#terminals = this.#terminals.filter((other) => other !== terminal);
    if (wasAnswering) this.#release(() => true);
  }

  #release(isDue: (held: { index: number }) => boolean): void {
    const due = this.#held.filter(isDue);
    this.#held = this.#held.filter((held) => !isDue(held));
    for (const { bytes } of due) this.#answer(bytes);
  }
}
