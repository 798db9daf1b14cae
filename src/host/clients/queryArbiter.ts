import type { Disposable } from '../../base/lifecycle.ts';

/** A client that is a terminal: it answers the queries in the output that it receives. */
export interface AnsweringTerminal {
  /**
   * Index of the first record that the terminal receives as output. Earlier records are part of the
   * state that it received, which contains no queries.
   */
  readonly startIndex: number;
  /** Index of the next record that the terminal will receive. */
  readonly cursor: number;
  /** Whether the terminal skipped this record because it lagged. */
  hasSkipped(index: number): boolean;
}

/**
 * Makes sure that each query that the program sends to its terminal is answered once: by the client
 * terminal that attached first, or by the model if that terminal does not receive the query or no
 * terminal is attached.
 */
export class QueryArbiter {
  readonly #answer: (bytes: Uint8Array) => void;
  #terminals: AnsweringTerminal[] = [];
  /** The model's answers to queries that the answering terminal has not received yet. */
  #held: { index: number; bytes: Uint8Array }[] = [];

  constructor(answer: (bytes: Uint8Array) => void) {
    this.#answer = answer;
  }

  add(terminal: AnsweringTerminal): Disposable {
    this.#terminals.push(terminal);
    return { dispose: () => this.#remove(terminal) };
  }

  /** Whether this terminal answers queries; the other terminals must not receive any. */
  isAnswering(terminal: AnsweringTerminal): boolean {
    return this.#terminals[0] === terminal;
  }

  /** Call with the model's answer to a query in the record with this index. */
  modelAnswered(index: number, bytes: Uint8Array): void {
    const [terminal] = this.#terminals;
    if (!terminal || index < terminal.startIndex || terminal.hasSkipped(index)) this.#answer(bytes);
    else if (index >= terminal.cursor) this.#held.push({ index, bytes });
  }

  /** Call when the terminal has received all records before its cursor. */
  shown(terminal: AnsweringTerminal): void {
    if (this.#held.length === 0 || !this.isAnswering(terminal)) return;
    this.#held = this.#held.filter(({ index }) => index >= terminal.cursor);
  }

  /** Call when the terminal skipped to its cursor because it lagged. */
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
