import type { PageMoment } from '../../../timeline/common/moments/moment.ts';
import type { MomentAction } from '../../../timeline/common/protocol/timelineProtocol.ts';

/** Actions that a session without any files still has. */
const WITHOUT_FILES: readonly MomentAction[] = ['reveal', 'link'];
/** Actions that need a snapshot at the moment itself. */
const NEEDS_SNAPSHOT: readonly MomentAction[] = ['snapshot', 'diff', 'restore', 'pin'];

/** @param actions the available actions of the window */
export function actionsOfSession(
  actions: readonly MomentAction[],
  hasNoFiles: boolean,
): readonly MomentAction[] {
  return hasNoFiles ? actions.filter((action) => WITHOUT_FILES.includes(action)) : actions;
}

/** @param actions of the session */
export function actionsOfMoment(
  moment: PageMoment,
  actions: readonly MomentAction[],
): readonly MomentAction[] {
  return actions
    .filter((action) => hasSnapshotFor(action, moment))
    .filter((action) => action !== 'reveal' || moment.isOpen === true);
}

function hasSnapshotFor(action: MomentAction, { snapshotId, changesId }: PageMoment): boolean {
  if (!NEEDS_SNAPSHOT.includes(action) || snapshotId !== undefined) return true;
  return action === 'diff' && changesId !== undefined;
}
