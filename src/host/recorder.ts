import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { UserError } from '../base/errors.ts';
import { MARK_PAUSE, MARK_RESUME, MARK_SESSION_END } from '../recording/format/format.ts';
import type { RecordingWriter } from '../recording/write/writer.ts';
import type { ProgramExit, StopParams } from '../sessions/common/recorderProtocol.ts';
import type { TerminalSize } from '../base/terminalSize.ts';
import { InputCapture } from './pty/inputCapture.ts';
import type { PtyProcess } from './pty/ptyProcess.ts';
import { PausedOutput } from './pausedOutput.ts';
import type { SessionLog } from './sessionLog.ts';
import type { RecordedMoment } from '../snapshots/node/take/snapshotTaker.ts';

/**
 * With more unwritten output than this, the recorder stops reading: the program has to wait, and
 * memory use stays limited.
 */
const HOLD_ABOVE_PENDING_BYTES = 32 * 1024 * 1024;
const RELEASE_BELOW_PENDING_BYTES = 8 * 1024 * 1024;
/** Each signal is stronger than the one before; SIGHUP is what closing a terminal sends. */
const STOP_STEPS: readonly { signal: NodeJS.Signals; afterMs: number }[] = [
  { signal: 'SIGHUP', afterMs: 0 },
  { signal: 'SIGTERM', afterMs: 2000 },
  { signal: 'SIGKILL', afterMs: 6000 },
];
/** Larger pieces are split into several records. */
const MAX_RECORD_BYTES = 64 * 1024;
const BACKLOG = Symbol('backlog');
/** With more keys than this waiting to be captured, clients have to wait before they send more. */
const MAX_WAITING_INPUT_BYTES = 256 * 1024;
/** How long an event waits for output that is still on its way through the kernel. */
const SETTLE_MS = 3;
/**
 * Pause between two changes of the size: a program that gets both at once sees only the last one.
 */
const REDRAW_MS = 50;

/** Puts the program's output and all other events into one order. */
export class Recorder {
  readonly #pty: PtyProcess;
  readonly #log: SessionLog;
  readonly #writer: RecordingWriter;
  readonly #clock: Clock;
  readonly #exits = new Emitter<ProgramExit>();
  readonly #holds = new Set<symbol>();
  #stopTimers: NodeJS.Timeout[] = [];
  #size: TerminalSize;
  #exit: ProgramExit | undefined;
  #isClosed = false;
  #isStoppedByUser = false;
  readonly #capture: InputCapture | undefined;
  #isInputCaptured = true;
  /** Set while the recording is paused. */
  #pause: PausedOutput | undefined;
  readonly #unrecorded = new Emitter<Uint8Array>();

  /** Fires with output that is not recorded, because the recording is paused. */
  readonly onDidPrintUnrecorded = this.#unrecorded.event;
  /** Fires when the program has ended and all its output is in the log. */
  readonly onDidExit = this.#exits.event;

  constructor(parts: {
    pty: PtyProcess;
    log: SessionLog;
    writer: RecordingWriter;
    clock: Clock;
    size: TerminalSize;
    /** Whether to record typed input, except where the terminal does not show it. */
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

  get size(): TerminalSize {
    return this.#size;
  }

  get exit(): ProgramExit | undefined {
    return this.#exit;
  }

  input(bytes: Uint8Array): void {
    if (this.#capture) this.#capture.type(bytes);
    else this.#pty.write(bytes);
  }

  /** Pauses or resumes input capture; does nothing when the session records no input. */
  setInputCapture(isOn: boolean): void {
    this.#isInputCaptured = isOn;
    this.#capture?.set(isOn && !this.#pause);
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  /** Stops recording output and input; clients still receive the output. */
  pause(): void {
    if (this.#pause || this.#exit) return;
    this.#takeOutput();
    const tsNs = this.#clock.nowNs();
    this.#log.append({ kind: 'mark', tsNs, code: MARK_PAUSE, value: 0 });
    this.#pause = new PausedOutput(tsNs);
    this.#capture?.set(false);
  }

  /** Records again, and changes the size for a moment to make the program redraw its screen. */
  async resume(): Promise<void> {
    await this.settle();
    const pause = this.#pause;
    if (!pause || this.#exit) return;
    this.#pause = undefined;
    const tsNs = this.#clock.nowNs();
    const stream = pause.resumeStream(tsNs, this.#size);
    this.#log.append({ kind: 'mark', tsNs, code: MARK_RESUME, value: stream.length });
    this.#log.appendOutput(tsNs, stream);
    this.#capture?.set(this.#isInputCaptured);
    const { cols, rows } = this.#size;
    const otherRows = rows > 1 ? rows - 1 : 2;
    this.resize(cols, otherRows);
    await new Promise((resolve) => setTimeout(resolve, REDRAW_MS));
    // A client may have changed the size meanwhile.
    if (this.#size.cols === cols && this.#size.rows === otherRows) this.resize(cols, rows);
  }

  get isInputFull(): boolean {
    return this.#pty.isInputFull || (this.#capture?.waitingBytes ?? 0) > MAX_WAITING_INPUT_BYTES;
  }

  get onDidDrainInput() {
    return this.#pty.onDidDrainInput;
  }

  /** Starts to read the program's output once `first` has settled. */
  begin(first: Promise<void> = Promise.resolve()): void {
    const waiting = Symbol('first');
    this.#holds.add(waiting);
    void first.then(() => this.#release(waiting));
  }

  /** Records the resize after output of the old size and before output of the new size. */
  resize(cols: number, rows: number): void {
    if (this.#exit || (cols === this.#size.cols && rows === this.#size.rows)) return;
    this.#takeOutput();
    this.#size = { cols, rows };
    this.#log.append({ kind: 'resize', tsNs: this.#clock.nowNs(), cols, rows });
    this.#pty.resize(cols, rows);
  }

  /** Waits for output that is still in the kernel; returns the byte offset after it. */
  async settle(): Promise<number> {
    this.#takeOutput();
    if (!this.#exit) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      this.#takeOutput();
    }
    return this.#log.totalBytes;
  }

  /**
   * Records a snapshot at the current or an earlier byte offset; on return, the record is on disk.
   */
  async recordSnapshot(id: bigint, label: string, anchorByte: number): Promise<RecordedMoment> {
    if (this.#isClosed)
      throw new UserError('session-over', "Can't record the snapshot: the session is over.");
    const tsNs = this.#clock.nowNs();
    this.#log.append({ kind: 'snapshot', tsNs, snapshotId: id, anchorByte, label });
    await this.#writer.writeOut();
    const onDisk = this.#writer.flush();
    onDisk.catch(() => undefined); // Callers that wait for it get the error.
    return { tsNs, onDisk };
  }

  /** Call before the recording is closed: rejects further records. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Sends the first stop signal soon and stronger ones later; does not wait for the program's end.
   */
  stop({ byUser = false }: StopParams = {}): void {
    if (this.#exit) return;
    this.#isStoppedByUser ||= byUser;
    if (this.#stopTimers.length > 0) return;
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

  /** Copies the bytes, which are valid only during the call. */
  #record(bytes: Uint8Array): void {
    if (this.#pause) {
      this.#pause.push(bytes);
      this.#unrecorded.fire(bytes.slice());
      return;
    }
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

  #finish(ended: ProgramExit): void {
    for (const timer of this.#stopTimers) clearTimeout(timer);
    const exit: ProgramExit = this.#isStoppedByUser ? { ...ended, stoppedByUser: true } : ended;
    this.#exit = exit;
    const value = exit.signal > 0 ? 128 + exit.signal : exit.exitCode;
    this.#log.append({ kind: 'mark', tsNs: this.#clock.nowNs(), code: MARK_SESSION_END, value });
    this.#exits.fire(exit);
  }
}
