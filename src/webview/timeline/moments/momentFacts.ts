import * as l10n from '@vscode/l10n';
import { positionText } from '../timeText.ts';
import { snapshotOf, type ListRow } from './listRows.ts';

/**
 * The time of a row and the number of its snapshot, if any, with a note if the snapshot is late.
 */
export function momentFacts(row: ListRow): { readonly number?: string; readonly time: string } {
  const time = positionText(row.moment.timeMs);
  const snapshot = snapshotOf(row);
  if (snapshot?.snapshotId === undefined) return { time };
  const number = `#${snapshot.snapshotId}`;
  return { number: snapshot.isLate ? `${number} · ${l10n.t('late')}` : number, time };
}
