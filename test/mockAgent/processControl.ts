import { spawn, spawnSync } from 'node:child_process';
import { toDisposable } from '../../src/base/lifecycle.ts';
import type { ProcessControl } from './agentContext.ts';

const forever = (): Promise<never> => new Promise(() => {});

/** Runs in the background process: prints and keeps the terminal open until its time is over. */
const LEFT_BEHIND = `
const [text, intervalMs, durationMs] = process.argv.slice(1);
setInterval(() => process.stdout.write(text + '\\n'), Number(intervalMs));
setTimeout(() => process.exit(), Number(durationMs));
`;

/** Signals, exits and background processes of steps. */
export const processControl: ProcessControl = {
  dieBySignal(signal) {
    // Listeners, such as the terminal's reset, would keep the signal from killing.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return forever();
  },
  dieByException(message) {
    setImmediate(() => {
      throw new Error(message);
    });
    return forever();
  },
  takeSignals(signals, listener) {
    const usual = signals.map((signal) => ({ signal, listeners: process.listeners(signal) }));
    for (const { signal } of usual) {
      process.removeAllListeners(signal);
      process.on(signal, listener);
    }
    return toDisposable(() => {
      for (const { signal, listeners } of usual) {
        process.off(signal, listener);
        for (const restored of listeners) process.on(signal, restored);
      }
    });
  },
  leaveBehind({ text, intervalMs, durationMs }) {
    // A separate session, so that the hangup at the end of this one does not reach it.
    spawn(process.execPath, ['-e', LEFT_BEHIND, text, String(intervalMs), String(durationMs)], {
      stdio: 'inherit',
      detached: true,
    }).unref();
  },
  setOutputProcessing(enabled) {
    if (!process.stdout.isTTY) return;
    spawnSync('stty', [enabled ? 'opost' : '-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
  },
};
