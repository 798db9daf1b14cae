import { onBrokenPipe } from './brokenPipe.ts';
import { ownTerminalSize } from './ownTerminalSize.ts';
import { makeTerminalRaw } from './rawTerminal.ts';
import { restoreTerminal } from './restoreTerminal.ts';
import type { RecorderClient } from '../sessions/node/recorderClient.ts';
import type { AttachParams, ProgramExit } from '../sessions/common/recorderProtocol.ts';

const WINDOW_BYTES = 1024 * 1024;
const HISTORY_LINES = 1000;
const CTRL_C = Buffer.from('\x03');
const END_OF_INPUT = Buffer.from('\x04');

export interface PassThroughOptions {
  readonly from: AttachParams['from'];
  /** The size the program has on our account, when it is not that of this terminal. */
  readonly size?: { readonly cols: number; readonly rows: number };
  /** This key leaves the session running and returns; none by default, since a program may want any key. */
  readonly detachKey?: number;
}

/** How it ended: the program's exit, the user's leaving, or a recorder that went away without a word. */
export type PassThroughEnd = ProgramExit | 'detached' | 'lost';

/** Joins this process's own terminal (or pipes) to a session until that ends. */
export async function passThrough(
  client: RecorderClient,
  options: PassThroughOptions,
): Promise<PassThroughEnd> {
  const { stdin, stdout } = process;
  const cleanups: (() => void)[] = [];
  const show = (bytes: Uint8Array) => {
    stdout.write(bytes, () => client.acknowledge(bytes.length));
  };
  client.onOutput(show);
  client.onState(({ state }) => show(state));
  client.onDidChangeTrouble((message) => {
    // Each message is a sentence that says what fails.
    process.stderr.write(
      message
        ? `\r\nah: ${message}. Trying again.\r\n`
        : '\r\nah: The recording is being written again.\r\n',
    );
  });

  const end = await new Promise<PassThroughEnd>((resolve, reject) => {
    const isTerminal = stdout.isTTY;
    let isStopping = false;
    client
      .attach({
        from: options.from,
        answersQueries: isTerminal,
        lossless: !isTerminal,
        windowBytes: WINDOW_BYTES,
        historyLines: HISTORY_LINES,
      })
      .catch(reject);
    client.onDidExit(resolve);
    client.onDidClose(() => resolve('lost'));
    const forward = (bytes: Buffer) => {
      const at = options.detachKey === undefined ? -1 : bytes.indexOf(options.detachKey);
      if (at < 0) {
        client.input(bytes);
        // Whoever writes to us waits as it would for the program itself.
        if (client.isInputFull) stdin.pause();
        return;
      }
      client.input(bytes.subarray(0, at));
      resolve('detached');
    };
    cleanups.push(makeTerminalRaw());
    if (!stdin.isTTY) stdin.on('end', () => client.input(END_OF_INPUT));
    stdin.on('data', forward);
    client.onDidDrainInput(() => stdin.resume());
    stdin.on('error', () => {});
    if (stdout.isTTY) {
      const resize = (size = ownTerminalSize()) => client.resize(size.cols, size.rows);
      const follow = () => resize();
      stdout.on('resize', follow);
      cleanups.push(() => stdout.off('resize', follow));
      resize(options.size);
    }
    onSignal('SIGINT', () => client.input(CTRL_C));
    onSignal('SIGTERM', () => {
      if (options.from === 'state' || isStopping) return resolve('detached');
      stop();
    });
    // As in any pipe, a program whose output nobody reads ends; only a viewer just leaves.
    onBrokenPipe(() => (options.from === 'start' ? stop() : resolve('detached')));
    function stop(): void {
      isStopping = true;
      client.stop().catch(() => {});
    }
    // The terminal is gone; the session is not.
    onSignal('SIGHUP', () => resolve('detached'));
    function onSignal(signal: NodeJS.Signals, listener: () => void): void {
      process.on(signal, listener);
      cleanups.push(() => process.off(signal, listener));
    }
  });
  for (const cleanup of cleanups) cleanup();
  stdin.pause();
  stdin.removeAllListeners('data');
  if (!stdout.errored) await new Promise((resolve) => stdout.write('', resolve));
  client.dispose();
  // The program ends what it began; when it goes on, or is lost, that is left to us.
  if (end === 'detached' || end === 'lost') restoreTerminal();
  return end;
}

/** What a shell reports for the same end. */
export function exitCodeOf({ exitCode, signal }: ProgramExit): number {
  return signal > 0 ? 128 + signal : exitCode;
}
