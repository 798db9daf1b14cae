import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { EscapeFilter, isColor, isQuery } from '../../terminal/screen/escapeFilter.ts';
import { secondsBetween } from '../formatting.ts';
import { keepLineFeeds } from '../terminal/rawTerminal.ts';
import { restoreTerminal } from '../terminal/restoreTerminal.ts';
import type { OpenedRecording } from './withRecording.ts';

/** The exit code that shells report after Ctrl-C. */
const INTERRUPTED = 130;

export interface PlayOptions {
  readonly speed: number;
  readonly isColored: boolean;
}

/** Writes the output to this terminal with its original pauses. */
export async function playInRealTime(
  { reader }: OpenedRecording,
  options: PlayOptions,
): Promise<void> {
  const isTerminal = process.stdout.isTTY;
  // This terminal would answer recorded queries, and the shell would take the answers as input.
  const filter = new EscapeFilter(
    (sequence) => (!options.isColored && isColor(sequence)) || (isTerminal && isQuery(sequence)),
  );
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
    if (!process.stdout.write(filter.push(record.bytes))) await once(process.stdout, 'drain');
  }
  process.stdout.write(filter.flush());
  process.off('SIGINT', interrupt);
  restore();
}
