import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { UserError } from '../base/errors.ts';
import { MARK_SESSION_END } from '../recording/format/format.ts';
import type { RecordingWriter } from '../recording/write/writer.ts';
import type { ProgramExit } from '../sessions/common/recorderProtocol.ts';
import { InputCapture } from './pty/inputCapture.ts';
import type { PtyProcess } from './pty/ptyProcess.ts';
import type { SessionLog } from './sessionLog.ts';

/** Unwritten output beyond this stops the reading, and so in the end the program: better than running out of memory. */
const HOLD_ABOVE_PENDING_BYTES = 32 * 1024 * 1024;
const RELEASE_BELOW_PENDING_BYTES = 8 * 1024 * 1024;
/** Each step is harder than the one before. Hang-up first: it is what closing a terminal sends. */
const STOP_STEPS: readonly { signal: NodeJS.Signals; afterMs: number }[] = [
  { signal: 'SIGHUP', afterMs: 0 },
  { signal: 'SIGTERM', afterMs: 2000 },
  { signal: 'SIGKILL', afterMs: 6000 },
];
/** More than this at once becomes several records. */
const MAX_RECORD_BYTES = 64 * 1024;
const BACKLOG = Symbol('backlog');
/** Keys that wait to be looked at; beyond this, whoever sends them waits too. */
const MAX_WAITING_INPUT_BYTES = 256 * 1024;
/** Output on its way through the kernel when an event arrives is given this long to come first. */
const SETTLE_MS = 3;

/** Puts what the program prints, and all that happens to it, into one order. */
export class Recorder {
  readonly #pty: PtyProcess;
  readonly #log: SessionLog;
  readonly #writer: RecordingWriter;
  readonly #clock: Clock;
  readonly #exits = new Emitter<ProgramExit>();
  readonly #holds = new Set<symbol>();
  #stopTimers: NodeJS.Timeout[] = [];
  #size: { cols: number; rows: number };
  #exit: ProgramExit | undefined;
  #isClosed = false;
  readonly #capture: InputCapture | undefined;

  /** The program is gone and all it printed is in the log. */
  readonly onDidExit = this.#exits.event;

  constructor(parts: {
    pty: PtyProcess;
    log: SessionLog;
    writer: RecordingWriter;
    clock: Clock;
    size: { cols: number; rows: number };
    /** Whether what is typed is recorded too, as far as it is seen. */
    capturesInput?: boolean;
  }) {
    this.#pty = parts.pty;
    this.#log = parts.log;
    this.#writer = parts.writer;
    this.#clock = parts.clock;
    this.#size = parts.size;
    this.#log.append({ kind: 'resize', tsNs: this.#clock.nowNs(), ...parts.size });
    this.#pty.onData((chunk) => this.#record(chunk));
    this.#capture = parts.capturesInput ? this.#captureInput() : undefined;
    this.#pty.onExit((exit) => this.#finish(exit));
    this.#writer.onDidWriteBlock(() => this.#checkBacklog());
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get size(): { cols: number; rows: number } {
    return this.#size;
  }

  get exit(): ProgramExit | undefined {
    return this.#exit;
  }

  input(bytes: Uint8Array): void {
    if (this.#capture) this.#capture.type(bytes);
    else this.#pty.write(bytes);
  }

  /** Whether what is typed is recorded from now on, where it was to be. */
  setInputCapture(isOn: boolean): void {
    this.#capture?.set(isOn);
  }

  get isInputFull(): boolean {
    return this.#pty.isInputFull || (this.#capture?.waitingBytes ?? 0) > MAX_WAITING_INPUT_BYTES;
  }

  get onDidDrainInput() {
    return this.#pty.onDidDrainInput;
  }

  /** Reads what the program prints from now on, or once `first` has happened. */
  begin(first: Promise<void> = Promise.resolve()): void {
    const waiting = Symbol('first');
    this.#holds.add(waiting);
    void first.then(() => this.#release(waiting));
  }

  /** Recorded behind the output printed at the old size, and before any at the new one. */
  resize(cols: number, rows: number): void {
    if (this.#exit || (cols === this.#size.cols && rows === this.#size.rows)) return;
    this.#takeOutput();
    this.#size = { cols, rows };
    this.#log.append({ kind: 'resize', tsNs: this.#clock.nowNs(), cols, rows });
    this.#pty.resize(cols, rows);
  }

  /** Lets output on its way come first; returns the byte that is the present one then. */
  async settle(): Promise<number> {
    this.#takeOutput();
    if (!this.#exit) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      this.#takeOutput();
    }
    return this.#log.totalBytes;
  }

  /** Records a snapshot of an earlier byte, or the present one; on disk when it returns. */
  async recordSnapshot(id: bigint, label: string, anchorByte: number): Promise<{ tsNs: bigint }> {
    if (this.#isClosed) throw new UserError('session-over', 'The session is over.');
    const tsNs = this.#clock.nowNs();
    this.#log.append({ kind: 'snapshot', tsNs, snapshotId: id, anchorByte, label });
    await this.#writer.flush();
    return { tsNs };
  }

  /** Nothing is recorded any more. */
  close(): void {
    this.#isClosed = true;
  }

  /** Ends the program; returns at once. */
  stop(): void {
    if (this.#exit || this.#stopTimers.length > 0) return;
    this.#stopTimers = STOP_STEPS.map(({ signal, afterMs }) =>
      setTimeout(() => this.#pty.kill(signal), afterMs),
    );
  }

  #captureInput(): InputCapture {
    const capture = new InputCapture({
      probe: this.#pty.probeEcho,
      write: (bytes) => this.#pty.write(bytes),
      record: (bytes) => {
        if (this.#exit || this.#isClosed) return;
        this.#takeOutput();
        const tsNs = this.#clock.nowNs();
        for (let at = 0; at < bytes.length; at += MAX_RECORD_BYTES) {
          const part = bytes.slice(at, at + MAX_RECORD_BYTES);
          this.#log.append({ kind: 'input', tsNs, bytes: part });
        }
      },
    });
    this.#pty.onData((chunk) => capture.printed(chunk));
    return capture;
  }

  /** Takes a copy. */
  #record(bytes: Uint8Array): void {
    const tsNs = this.#clock.nowNs();
    for (let at = 0; at < bytes.length; at += MAX_RECORD_BYTES) {
      this.#log.appendOutput(tsNs, bytes.slice(at, at + MAX_RECORD_BYTES));
    }
    if (this.#writer.pendingBytes > HOLD_ABOVE_PENDING_BYTES) this.#hold(BACKLOG);
  }

  #takeOutput(): void {
    this.#pty.readAvailable();
  }

  #checkBacklog(): void {
    if (this.#writer.pendingBytes < RELEASE_BELOW_PENDING_BYTES) this.#release(BACKLOG);
  }

  #hold(reason: symbol): void {
    this.#holds.add(reason);
    this.#pty.pause();
  }

  #release(reason: symbol): void {
    if (this.#holds.delete(reason) && this.#holds.size === 0) this.#pty.resume();
  }

  #finish(exit: ProgramExit): void {
    for (const timer of this.#stopTimers) clearTimeout(timer);
    this.#exit = exit;
    const value = exit.signal > 0 ? 128 + exit.signal : exit.exitCode;
    this.#log.append({ kind: 'mark', tsNs: this.#clock.nowNs(), code: MARK_SESSION_END, value });
    this.#exits.fire(exit);
  }
}
