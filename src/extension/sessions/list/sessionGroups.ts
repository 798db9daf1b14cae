import { isRunning, sessionName, type Session } from '../session.ts';
import { dateOf, daysBetween } from '../timeText.ts';

/** A day on which sessions started. */
export interface SessionDay {
  readonly date: Date;
  readonly daysAgo: number;
}

/** Where the list shows a session. */
export type SessionPlace = 'running' | 'pinned' | 'day' | 'archived';

/** A group of the list. */
export interface SessionGroup {
  readonly key: string;
  readonly place: SessionPlace;
  /** Set for sessions that started on the same day. */
  readonly day: SessionDay | undefined;
  readonly sessions: readonly Session[];
}

export function placeOf(session: Session): SessionPlace {
  if (isRunning(session)) return 'running';
  if (session.notes.isArchived === true) return 'archived';
  return session.notes.isPinned === true ? 'pinned' : 'day';
}

/**
 * Groups sessions: running and pinned ones first, then by day; archived ones last.
 * @param sessions newest first
 */
export function groupSessions(sessions: readonly Session[], now: Date): SessionGroup[] {
  const days = new Map<number, SessionGroup & { sessions: Session[] }>();
  for (const session of sessions.filter((each) => placeOf(each) === 'day')) {
    const date = dateOf(session.meta.startedAtNs);
    const daysAgo = daysBetween(date, now);
    const group = days.get(daysAgo) ?? {
      key: date.toDateString(),
      place: 'day',
      day: { date, daysAgo },
      sessions: [],
    };
    group.sessions.push(session);
    days.set(daysAgo, group);
  }
  const groupAt = (place: SessionPlace): SessionGroup[] => {
    const found = sessions.filter((session) => placeOf(session) === place);
    return found.length > 0 ? [{ key: place, place, day: undefined, sessions: found }] : [];
  };
  return [...groupAt('running'), ...groupAt('pinned'), ...days.values(), ...groupAt('archived')];
}

/** Whether every word of `filter` is in the session's name, command, folder or ID. */
export function matchesFilter(session: Session, filter: string): boolean {
  const { meta } = session;
  const text = [sessionName(session), meta.cmd.join(' '), meta.cwd, meta.id].join('\n');
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}
