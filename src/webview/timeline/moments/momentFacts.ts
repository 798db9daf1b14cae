import * as l10n from '@vscode/l10n';
import type { PageMoment } from '../../../timeline/common/moments/moment.ts';
import { positionText } from '../timeText.ts';

/** The time of every moment, the number of a snapshot, and whether it was late. */
export function momentFacts({ snapshotId, isLate, timeMs }: PageMoment): string {
  return [
    ...(snapshotId === undefined ? [] : [`#${snapshotId}`]),
    ...(isLate ? [l10n.t('late')] : []),
    positionText(timeMs),
  ].join(' · ');
}
