import type { PageMoment } from '../../../timeline/common/moments/moment.ts';
import type { MomentAction } from '../../../timeline/common/protocol/timelineProtocol.ts';
import { openApproval, snapshotOf, targetOf, type ListRow } from './listRows.ts';

/** Actions that are available even if no moment of the session has files. */
const WITHOUT_FILES: readonly MomentAction[] = ['reveal', 'link'];
/** Actions that need a snapshot in the row itself. */
const NEEDS_SNAPSHOT: readonly MomentAction[] = ['snapshot', 'diff', 'restore', 'pin'];

/** @param actions the actions that are available in this window */
export function actionsOfSession(
  actions: readonly MomentAction[],
  hasNoFiles: boolean,
): readonly MomentAction[] {
  return hasNoFiles ? actions.filter((action) => WITHOUT_FILES.includes(action)) : actions;
}

/** The moment of the row that an action applies to; undefined if the row has none. */
export function momentFor(action: MomentAction, row: ListRow): PageMoment | undefined {
  if (action === 'reveal') return openApproval(row);
  if (action === 'branch') return targetOf(row);
  if (!NEEDS_SNAPSHOT.includes(action)) return row.moment;
  const comparable = action === 'diff' && row.moment.changesId !== undefined;
  return snapshotOf(row) ?? (comparable ? row.moment : undefined);
}
