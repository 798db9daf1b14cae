import { spanText } from '../../base/spanText.ts';
import { NANOSECONDS_PER_MILLISECOND } from '../../base/clock.ts';
import { PauseFinder, type Pause } from '../../recording/read/pauses.ts';
import type { OpenedRecording } from './withRecording.ts';

/** All pauses of a recording, in order. */
export async function readPauses({ reader }: OpenedRecording): Promise<Pause[]> {
  const finder = new PauseFinder();
  const ended: Pause[] = [];
  for await (const record of reader.records()) {
    const pause = finder.after(record);
    if (pause?.toNs !== undefined) ended.push(pause);
  }
  return finder.open ? [...ended, finder.open] : ended;
}

/**
 * The line about a pause that lasts to the end of the recording. At the end of other pauses, the
 * recorder prints the line itself.
 * @param last the last pause, if there is one
 */
export function lastPauseLine(last: Pause | undefined): string | undefined {
  return last && !last.isResumed ? pauseLine(last) : undefined;
}

/** The line about a pause, as the recorder prints it. */
export function pauseLine({ fromNs, toNs }: Pause): string {
  if (toNs === undefined) return '── not recorded from here on ──';
  const ms = Number((toNs - fromNs) / NANOSECONDS_PER_MILLISECOND);
  return `── not recorded for ${spanText(ms)} ──`;
}
