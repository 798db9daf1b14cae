import { UserError } from '../../base/errors.ts';
import { onBrokenPipe } from './brokenPipe.ts';
import { ownTerminalSize } from './ownTerminalSize.ts';
import { makeTerminalRaw } from './rawTerminal.ts';
import { restoreTerminal } from './restoreTerminal.ts';
import type { RecorderClient } from '../../sessions/node/recorderClient.ts';
import type { AttachParams, ProgramExit } from '../../sessions/common/recorderProtocol.ts';

const WINDOW_BYTES = 1024 * 1024;
const HISTORY_LINES = 1000;
const CTRL_C = Buffer.from('\x03');
const END_OF_INPUT = Buffer.from('\x04');

export interface PassThroughOptions {
  readonly from: AttachParams['from'];
  /** The size of the program's terminal, if it differs from this terminal's. */
  readonly size?: { readonly cols: number; readonly rows: number };
  /** The key that detaches; none by default, since a program may use any key. */
  readonly detachKey?: number;
}

/** How the connection ended: the program exited, the user detached, or the recorder was lost. */
export type PassThroughEnd = ProgramExit | 'detached' | 'lost';

/** Connects this process's terminal or pipes to a session until the session ends. */
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
    // `message` is a sentence without its period.
    process.stderr.write(
      message
        ? `\r\nah: ${message}. Retrying.\r\n`
        : '\r\nah: The recorder can write the recording again.\r\n',
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
        // Pausing makes the writer of our input wait, as it would wait for the program itself.
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
    stdin.on('error', () => {}); // Lost input does not end the session.
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
    // If the reader of our output is gone, `record` ends the program, as a pipe does; `attach`
    // detaches.
    onBrokenPipe(() => (options.from === 'start' ? stop() : resolve('detached')));
    function stop(): void {
      isStopping = true;
      client.stop({}).catch(() => {}); // The session has ended already.
    }
    // The terminal was closed; the session keeps running.
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
  // If the program exited, it has reset the terminal itself.
  if (end === 'detached' || end === 'lost') restoreTerminal();
  return end;
}

/**
 * Sets the exit code that a shell would report for the recorded program.
 * @throws UserError when the recorder is gone
 */
export function setExitCode(end: ProgramExit | 'lost', recording: string): void {
  if (end === 'lost') {
    throw new UserError(
      'host-lost',
      `The recorder stopped unexpectedly. The recording up to then is in ${recording}.`,
    );
  }
  process.exitCode = end.signal > 0 ? 128 + end.signal : end.exitCode;
}
