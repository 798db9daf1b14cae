import type { BranchBody } from '../../timeline/common/webviewProtocol.ts';
import { isRunning, sessionName, type Session } from './session.ts';

const NANOSECONDS_PER_MILLISECOND = 1e6;

/** The sessions that were branched off one, the newest first. */
export function branchesOf(sessionId: string, sessions: readonly Session[]): Session[] {
  return sessions.filter(({ meta }) => meta.branchOf?.fromSessionId === sessionId);
}

/** Whether a session runs, or one that was branched off it, however far down. */
export function isLive(session: Session, sessions: readonly Session[]): boolean {
  if (isRunning(session)) return true;
  return branchesOf(session.meta.id, sessions).some((branch) => isLive(branch, sessions));
}

/** The same as the timeline draws them. @param startNs of its recording */
export function lanesOf(
  sessionId: string,
  sessions: readonly Session[],
  startNs: bigint,
  nowMs: number,
): BranchBody[] {
  return branchesOf(sessionId, sessions).map((session) => {
    const { meta } = session;
    const { fromTs, fromByte } = meta.branchOf!;
    const startedMs = Number(meta.startedAtNs) / NANOSECONDS_PER_MILLISECOND;
    const endedMs =
      meta.endedAtNs === undefined ? nowMs : Number(meta.endedAtNs) / NANOSECONDS_PER_MILLISECOND;
    return {
      ...{ sessionId: meta.id, name: sessionName(session), byteOffset: fromByte },
      timeMs: Math.max(0, Number(fromTs - startNs) / NANOSECONDS_PER_MILLISECOND),
      durationMs: Math.max(0, isRunning(session) ? nowMs - startedMs : endedMs - startedMs),
      isRunning: isRunning(session),
    };
  });
}

/**
 * A list as a tree: what was branched off a session of the list comes below it, also when it belongs to another folder.
 * @param listed what would be listed by itself
 */
export function rootsOf(listed: readonly Session[]): Session[] {
  const ids = new Set(listed.map(({ meta }) => meta.id));
  return listed.filter(({ meta }) => !ids.has(meta.branchOf?.fromSessionId ?? ''));
}
