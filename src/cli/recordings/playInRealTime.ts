import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { DrawingFilter } from '../../terminal/draw/drawingFilter.ts';
import { secondsBetween } from '../formatting.ts';
import { keepLineFeeds } from '../terminal/rawTerminal.ts';
import { restoreTerminal } from '../terminal/restoreTerminal.ts';
import type { OpenedRecording } from './withRecording.ts';

/** The exit code that shells report after Ctrl-C. */
const INTERRUPTED = 130;

export interface PlayOptions {
  readonly speed: number;
  readonly isColored: boolean;
  /** Whether to write the recorded bytes as they are. */
  readonly isRaw: boolean;
}

/** Writes the output to this terminal with its original pauses. */
export async function playInRealTime(
  { reader }: OpenedRecording,
  options: PlayOptions,
): Promise<void> {
  // This terminal would act on the recorded bytes as the one of the session did: it would write
  // the clipboard, and type its answers into the shell.
  const filter = options.isRaw ? undefined : new DrawingFilter(options);
  const restoreOutput = keepLineFeeds();
  const restore = () => {
    restoreTerminal();
    restoreOutput();
  };
  const interrupt = () => {
    restore();
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', interrupt);
  const startedMs = performance.now();
  let firstNs: bigint | undefined;
  for await (const record of reader.records()) {
    firstNs ??= record.tsNs;
    if (record.kind !== 'data') continue;
    const dueMs = (secondsBetween(firstNs, record.tsNs) * 1000) / options.speed;
    const waitMs = dueMs - (performance.now() - startedMs);
    if (waitMs > 1) await sleep(waitMs);
    const passed = filter?.push(record.bytes) ?? record.bytes;
    if (!process.stdout.write(passed)) await once(process.stdout, 'drain');
  }
  process.off('SIGINT', interrupt);
  restore();
}
