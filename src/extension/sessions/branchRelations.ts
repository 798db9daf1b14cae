import type { BranchLane } from '../../timeline/common/protocol/timelineProtocol.ts';
import { isRunning, sessionName, type Session } from './session.ts';
import { placeOf } from './list/sessionGroups.ts';

const NANOSECONDS_PER_MILLISECOND = 1e6;

/** The branches of a session, newest first. */
export function branchesOf(sessionId: string, sessions: readonly Session[]): Session[] {
  return sessions.filter(({ meta }) => meta.branchOf?.fromSessionId === sessionId);
}

/**
 * The rows below a session in the list: its branches, except those that the list shows elsewhere.
 */
export function rowsBelow(session: Session, sessions: readonly Session[]): Session[] {
  return branchesOf(session.meta.id, sessions).filter((branch) => isBelow(branch, session));
}

/**
 * Whether a branch is listed below its parent. It is not if only one of them is pinned or archived,
 * or if only the branch is running: then the parent does not belong among the running sessions.
 */
function isBelow(branch: Session, parent: Session): boolean {
  const place = placeOf(branch);
  return place === placeOf(parent) || (isRunning(parent) && place === 'day');
}

/** The original of a branch, then the original's own original, and so on. */
export function originalsOf(session: Session, sessions: readonly Session[]): Session[] {
  const originals: Session[] = [];
  for (let each: Session | undefined = session; each; each = originals.at(-1)) {
    const id: string | undefined = each.meta.branchOf?.fromSessionId;
    const original = sessions.find(({ meta }) => meta.id === id);
    // Provenance comes from files, so it may be circular.
    if (!original || originals.includes(original)) break;
    originals.push(original);
  }
  return originals;
}

/** The original of a branch that the list shows elsewhere than below its original. */
export function distantOriginal(
  session: Session,
  sessions: readonly Session[],
): Session | undefined {
  const id = session.meta.branchOf?.fromSessionId;
  const parent = sessions.find(({ meta }) => meta.id === id);
  return parent && !isBelow(session, parent) ? parent : undefined;
}

/** The branches of a session, for the timeline. @param startNs start of the session's recording */
export function lanesOf(
  sessionId: string,
  sessions: readonly Session[],
  startNs: bigint,
  nowMs: number,
): BranchLane[] {
  return sessions.flatMap((session) => {
    const { meta } = session;
    if (meta.branchOf?.fromSessionId !== sessionId) return [];
    const { fromTs, fromByte } = meta.branchOf;
    const startedMs = Number(meta.startedAtNs) / NANOSECONDS_PER_MILLISECOND;
    const endedMs =
      meta.endedAtNs === undefined ? nowMs : Number(meta.endedAtNs) / NANOSECONDS_PER_MILLISECOND;
    const lane = {
      sessionId: meta.id,
      name: sessionName(session),
      byteOffset: fromByte,
      timeMs: Math.max(0, Number(fromTs - startNs) / NANOSECONDS_PER_MILLISECOND),
      durationMs: Math.max(0, isRunning(session) ? nowMs - startedMs : endedMs - startedMs),
      isRunning: isRunning(session),
    };
    return [lane];
  });
}

/**
 * The sessions at the top level of the tree; {@link rowsBelow} returns the others.
 * @param listed sessions that match workspace and filter
 */
export function rootsOf(listed: readonly Session[]): Session[] {
  const byId = new Map(listed.map((session) => [session.meta.id, session]));
  return listed.filter((session) => {
    const parent = byId.get(session.meta.branchOf?.fromSessionId ?? '');
    return !parent || !isBelow(session, parent);
  });
}
