import type { PageMoment } from '../../../timeline/common/moments/moment.ts';
import { positionText } from '../timeText.ts';

/** The time of every moment, and the number of a snapshot. */
export function momentFacts({ snapshotId, timeMs }: PageMoment): string {
  const time = positionText(timeMs);
  return snapshotId === undefined ? time : `#${snapshotId} · ${time}`;
}
