import { isRunning, sessionName, type Session } from './session.ts';
import { dateOf, daysBetween } from './timeText.ts';

/** Sessions that belong together in the list: those that run, or of which a branch does; or those of the same day. */
export interface SessionGroup {
  readonly key: string;
  /** How many days ago; undefined for running sessions. */
  readonly daysAgo: number | undefined;
  readonly sessions: readonly Session[];
}

/**
 * @param sessions newest first, and so are the groups; what is live comes before all others
 * @param isLive whether a session runs, or something below it
 */
export function groupSessions(
  sessions: readonly Session[],
  now: Date,
  isLive: (session: Session) => boolean = isRunning,
): SessionGroup[] {
  const running = sessions.filter(isLive);
  const byDay = new Map<number, Session[]>();
  for (const session of sessions.filter((each) => !isLive(each))) {
    const daysAgo = daysBetween(dateOf(session.meta.startedAtNs), now);
    byDay.set(daysAgo, [...(byDay.get(daysAgo) ?? []), session]);
  }
  const days = [...byDay].map(([daysAgo, ofDay]) => ({
    key: dateOf(ofDay[0]!.meta.startedAtNs).toDateString(),
    daysAgo,
    sessions: ofDay,
  }));
  if (running.length === 0) return days;
  return [{ key: 'running', daysAgo: undefined, sessions: running }, ...days];
}

/** Whether every word of `filter` is in the session's name, command or folder. */
export function matchesFilter(session: Session, filter: string): boolean {
  const { meta } = session;
  const text = [sessionName(session), meta.cmd.join(' '), meta.cwd, meta.id].join('\n');
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}
