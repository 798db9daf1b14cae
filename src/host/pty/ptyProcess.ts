import { errorCode } from '../../base/errors.ts';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import path from 'node:path';
// This file uses the native binding directly: node-pty's wrapper destroys its socket 200 ms after
// the program's exit and loses unread output. See docs/decisions/0003-own-the-pty-reads.md.
import { loadNativeModule } from 'node-pty/lib/utils.js';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ProgramExit } from '../../sessions/common/recorderProtocol.ts';
import { sttyProbe, type EchoProbe } from './echoProbe.ts';
import { EndMarker } from './endMarker.ts';
import { PtyReader } from './ptyReader.ts';

export interface PtyOptions {
  /** Absolute path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  /** Path of the bundle of the reader thread. */
  readonly readerFile: string;
}

interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (exitCode: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number, pixelWidth: number, pixelHeight: number): void;
}

/** With more unread input than this, clients have to wait before they send more. */
const FULL_INPUT_BYTES = 256 * 1024;
const INPUT_RETRY_MS = 1;
/** A terminal stopped by Ctrl-S accepts no end marker: give up after this long without output. */
const QUIET_END_MS = 2000;
const END_RETRY_MS = 5;

/**
 * A program on its own pseudoterminal, with raw bytes in both directions. All its output is
 * delivered before its exit is reported. Nothing is read before the first {@link resume}.
 */
export class PtyProcess implements Disposable {
  readonly pid: number;
  readonly #native: NativePty;
  readonly #fd: number;
  /**
   * The program's end of the terminal, kept open so that unread output survives the program's exit.
   */
  readonly #slave: number;
  readonly #reader: PtyReader;
  /** Whether the terminal shows typed keys. */
  readonly probeEcho: EchoProbe;
  readonly #data = new Emitter<Uint8Array>();
  readonly #exit = new Emitter<ProgramExit>();
  readonly #inputDrains = new Emitter<void>();
  #inputQueue: Uint8Array[] = [];
  #queuedInputBytes = 0;
  #inputRetry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #endMarker: EndMarker | undefined;
  #lastDataMs = 0;

  /** The bytes are valid only until the listener returns: copy them to keep them. */
  readonly onData = this.#data.event;
  /** Fires when the program has read enough input that {@link isInputFull} is false again. */
  readonly onDidDrainInput = this.#inputDrains.event;
  /** Fires once, after the last {@link onData}. */
  readonly onExit = this.#exit.event;

  constructor(options: PtyOptions) {
    const { module, dir } = loadNativeModule('pty');
    this.#native = module as NativePty;
    const libraryFolder = path.dirname(require.resolve('node-pty/lib/utils.js'));
    const started = this.#native.fork(
      options.file,
      options.args,
      Object.entries(options.env).map(([name, value]) => `${name}=${value}`),
      options.cwd,
      options.cols,
      options.rows,
      -1,
      -1,
      true,
      path.resolve(libraryFolder, dir, 'spawn-helper'),
      (exitCode, signal) => this.#drainToTheEnd({ exitCode, signal }),
    );
    this.pid = started.pid;
    this.#fd = started.fd;
    this.#slave = openSync(
      started.pty,
      constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK,
    );
    const probe = sttyProbe(this.#slave);
    this.probeEcho = () => (this.#isClosed ? Promise.resolve('unknown') : probe());
    this.#reader = new PtyReader(started.fd, options.readerFile);
    this.#reader.onData((chunk) => this.#receive(chunk));
    // Without a reader, the program would hang at its next output.
    this.#reader.onDidFail((error) => {
      this.kill('SIGKILL');
      throw error;
    });
  }

  pause(): void {
    // After the exit there is no new output, and reading must continue to get the remaining output.
    if (!this.#endMarker) this.#reader.pause();
  }

  resume(): void {
    if (!this.#isClosed) this.#reader.resume();
  }

  resize(cols: number, rows: number): void {
    if (!this.#isClosed) this.#native.resize(this.#fd, cols, rows, 0, 0);
  }

  /** Delivers the output printed so far, so that an event recorded next comes after it. */
  readAvailable(): void {
    if (!this.#isClosed) this.#reader.readAvailable();
  }

  /** Whether too much input is unread: send more only after {@link onDidDrainInput}. */
  get isInputFull(): boolean {
    return this.#queuedInputBytes > FULL_INPUT_BYTES;
  }

  write(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.#inputQueue.push(bytes);
    this.#queuedInputBytes += bytes.length;
    if (!this.#inputRetry) this.#writeQueued();
  }

  /** Signals the program's whole process group, as a terminal does. */
  kill(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // The process group has ended already.
    }
  }

  dispose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#inputRetry);
    this.#dropInput();
    closeSync(this.#slave);
    this.#reader.dispose();
  }

  /** Drops unread input when the terminal is closed. */
  #dropInput(): void {
    this.#inputQueue = [];
    this.#queuedInputBytes = 0;
    this.#inputDrains.fire();
  }

  #receive(chunk: Uint8Array): void {
    this.#lastDataMs = performance.now();
    if (!this.#endMarker) {
      this.#data.fire(chunk);
      return;
    }
    const output = this.#endMarker.push(chunk);
    if (output.length > 0) this.#data.fire(output);
  }

  /**
   * Reads the rest of the output after the program's exit. A marker written to the program's end of
   * the terminal arrives after all output that is still in the kernel.
   */
  #drainToTheEnd(exit: ProgramExit): void {
    const marker = new EndMarker();
    this.#endMarker = marker;
    this.#lastDataMs = performance.now();
    this.#reader.resume();
    const hasRead = this.#reader.requestRead();
    let isMarkerWritten = false;
    const step = () => {
      if (!isMarkerWritten) isMarkerWritten = this.#tryWriteMarker(marker);
      // On a busy machine the reader thread may start late: that time does not count as quiet.
      if (!hasRead()) this.#lastDataMs = performance.now();
      const isQuiet = performance.now() - this.#lastDataMs > QUIET_END_MS;
      if (!marker.isFound && !isQuiet) {
        setTimeout(step, isMarkerWritten ? 1 : END_RETRY_MS);
        return;
      }
      const held = marker.release();
      if (held.length > 0) this.#data.fire(held);
      this.dispose();
      this.#exit.fire(exit);
    };
    step();
  }

  #tryWriteMarker(marker: EndMarker): boolean {
    try {
      const written = writeSync(this.#slave, marker.bytes, marker.writtenBytes);
      marker.writtenBytes += written;
    } catch {
      return false; // The terminal is full or stopped; the next step tries again.
    }
    return marker.writtenBytes === marker.bytes.length;
  }

  /**
   * Writes synchronously, since the descriptor does not block. On the thread pool, a key would wait
   * for the compressor, or be written to a descriptor that was closed and reused in the meantime.
   */
  #writeQueued(): void {
    this.#inputRetry = undefined;
    for (let chunk = this.#inputQueue[0]; chunk && !this.#isClosed; chunk = this.#inputQueue[0]) {
      let written = 0;
      try {
        written = writeSync(this.#fd, chunk);
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN') return this.#dropInput();
      }
      const wasFull = this.isInputFull;
      this.#queuedInputBytes -= written;
      if (wasFull && !this.isInputFull) this.#inputDrains.fire();
      if (written === chunk.length) {
        this.#inputQueue.shift();
      } else {
        // The program is not reading: try again soon, but not in a busy loop.
        this.#inputQueue[0] = chunk.subarray(written);
        this.#inputRetry = setTimeout(() => this.#writeQueued(), INPUT_RETRY_MS);
        return;
      }
    }
  }
}
