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
   * Waits until `measure` says how many of the bytes received so far belong to the answer, and takes those.
   * `undefined` after the timeout or at the end of the input; what was received by then is dropped.
   */
  read(
    measure: (received: Buffer) => number | undefined,
    options: ReadOptions,
  ): Promise<Buffer | undefined>;
}

export interface MomentOutcome {
  /** Why the recorder did not take it; `undefined` when it did, or when nobody records. */
  readonly problem: string | undefined;
}

export interface MomentAnnouncer {
  /** Without an `id`, counts up from 1. */
  announce(label: string, id?: bigint): Promise<MomentOutcome>;
}

/** What a step may do to the process that plays the scenario. */
export interface ProcessControl {
  /** Ends the process as the signal does by default. Does not return. */
  dieBySignal(signal: NodeJS.Signals): Promise<never>;
  /** Throws where nobody catches. Does not return. */
  dieByException(message: string): Promise<never>;
  /** Signals arrive at `listener` and have no other effect until the result is disposed. */
  takeSignals(
    signals: readonly NodeJS.Signals[],
    listener: (signal: NodeJS.Signals) => void,
  ): Disposable;
  /** Starts a process that holds the terminal, prints `text` every `intervalMs`, and outlives this one. */
  leaveBehind(child: { text: string; intervalMs: number; durationMs: number }): void;
  /** Turns the terminal's own changes to output (`\n` to `\r\n`) on or off. Nothing happens without a terminal. */
  setOutputProcessing(enabled: boolean): void;
}

/** Everything that a step works with. */
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
  readonly moments: MomentAnnouncer;
  readonly transcript: Transcript;
  readonly process: ProcessControl;
}
