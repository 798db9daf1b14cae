import type { Disposable } from '../../src/base/lifecycle.ts';
import type { Pace } from './pace.ts';
import type { Random } from './random.ts';
import type { StatusLine } from './terminal/statusLine.ts';
import type { TerminalModes } from './terminal/terminalModes.ts';
import type { Transcript } from './transcript/transcript.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalOutput {
  /** One call is one write to the terminal; resolves once the terminal has taken all of it. */
  write(data: string | Uint8Array): Promise<void>;
  size(): TerminalSize;
  onResize(listener: (size: TerminalSize) => void): Disposable;
}

export interface ReadOptions {
  /** Whether keys arrive one by one and without echo. */
  readonly raw: boolean;
  readonly timeoutMs?: number | undefined;
}

export interface TerminalInput {
  /**
   * Waits until `measure` returns how many received bytes belong to the answer, and takes those.
   * `undefined` after the timeout or the end of input; received bytes are then dropped.
   */
  read(
    measure: (received: Buffer) => number | undefined,
    options: ReadOptions,
  ): Promise<Buffer | undefined>;
}

export interface MomentOutcome {
  /** The recorder's error; `undefined` for success or without a recorder. */
  readonly problem: string | undefined;
}

export interface MomentAnnouncer {
  /** Without an `id`, counts up from 1. */
  announce(label: string, id?: bigint): Promise<MomentOutcome>;
}

/** What a step can do to the process of the scenario. */
export interface ProcessControl {
  /** Ends the process by the signal. Does not return. */
  dieBySignal(signal: NodeJS.Signals): Promise<never>;
  /** Throws an uncaught exception. Does not return. */
  dieByException(message: string): Promise<never>;
  /** Signals only call `listener` until the result is disposed. */
  takeSignals(
    signals: readonly NodeJS.Signals[],
    listener: (signal: NodeJS.Signals) => void,
  ): Disposable;
  /** Starts a process that outlives this one and prints `text` every `intervalMs`. */
  leaveBehind(child: { text: string; intervalMs: number; durationMs: number }): void;
  /**
   * Turns the terminal's output conversion (`\n` to `\r\n`) on or off; no effect without a
   * terminal.
   */
  setOutputProcessing(enabled: boolean): void;
}

/** The context of a step. */
export interface AgentContext {
  readonly output: TerminalOutput;
  readonly input: TerminalInput;
  readonly modes: TerminalModes;
  readonly statusLine: StatusLine;
  readonly pace: Pace;
  readonly random: Random;
  /** The workspace, absolute. Steps change files only below it. */
  readonly folder: string;
  /** Answers that input steps remembered; `${name}` in texts. */
  readonly variables: Map<string, string>;
  /** Undefined where the recorder learns of moments by hooks: nothing is announced. */
  readonly moments: MomentAnnouncer | undefined;
  readonly transcript: Transcript;
  readonly process: ProcessControl;
}
