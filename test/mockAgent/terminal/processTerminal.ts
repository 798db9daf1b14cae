import { toDisposable } from '../../../src/base/lifecycle.ts';
import type { TerminalInput, TerminalOutput, TerminalSize } from '../agentContext.ts';

/** The size without a terminal. */
const DEFAULT_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** This process's own output. */
export function processOutput(): TerminalOutput {
  const { stdout } = process;
  const size = (): TerminalSize =>
    stdout.isTTY ? { columns: stdout.columns, rows: stdout.rows } : DEFAULT_SIZE;
  return {
    size,
    write: (data) =>
      new Promise((resolve, reject) => {
        stdout.write(data, (error) => (error ? reject(error) : resolve()));
      }),
    onResize(listener) {
      const report = (): void => listener(size());
      stdout.on('resize', report);
      return toDisposable(() => stdout.off('resize', report));
    },
  };
}

/** This process's own input. Buffers bytes until the next read. */
export function processInput(): TerminalInput {
  const { stdin } = process;
  let pending = Buffer.alloc(0);
  let hasEnded = false;
  let check = (): void => {};
  stdin.on('data', (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    check();
  });
  stdin.on('end', () => {
    hasEnded = true;
    check();
  });
  stdin.pause();

  return {
    async read(measure, { raw, timeoutMs }) {
      if (stdin.isTTY) stdin.setRawMode(raw);
      stdin.resume();
      let timer: NodeJS.Timeout | undefined;
      const answer = await new Promise<Buffer | undefined>((resolve) => {
        check = () => {
          const length = measure(pending);
          if (length !== undefined) {
            resolve(pending.subarray(0, length));
            pending = pending.subarray(length);
          } else if (hasEnded) {
            resolve(undefined);
          }
        };
        if (timeoutMs !== undefined) timer = setTimeout(() => resolve(undefined), timeoutMs);
        check();
      });
      clearTimeout(timer);
      check = () => {};
      if (answer === undefined) pending = Buffer.alloc(0);
      stdin.pause();
      if (stdin.isTTY) stdin.setRawMode(false);
      return answer;
    },
  };
}
