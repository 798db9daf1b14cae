import type { Concern } from './concernDetector.ts';
import type { AgentEvent } from '../events/events.ts';
import type { StatusView } from './status.ts';

/** Kinds of notifications about a session; the user can turn off each. */
export type NoticeKind = 'approval' | 'finished' | 'failing' | 'looping' | 'stuck';

export interface AgentNotice {
  readonly kind: NoticeKind;
  /** The command, the file or the answer; may be empty and may contain secrets. */
  readonly subject: string;
  readonly concern?: Concern;
}

/** What changed in a session since the last update. */
export interface SessionChange {
  readonly status: StatusView;
  readonly statusBefore: StatusView;
  /** New events; empty when only time has passed. */
  readonly events: readonly AgentEvent[];
  readonly concerns: readonly Concern[];
}

export function noticesOf({
  status,
  statusBefore,
  events,
  concerns,
}: SessionChange): AgentNotice[] {
  const notices: AgentNotice[] = [];
  const isNewlyAsked =
    status.status === 'waiting_approval' &&
    (statusBefore.status !== 'waiting_approval' || statusBefore.sinceNs !== status.sinceNs);
  if (isNewlyAsked) notices.push({ kind: 'approval', subject: status.subject });
  const end = events.findLast((event) => event.kind === 'turn.completed');
  // A user who interrupts a turn knows that it is over.
  if (end && end.outcome !== 'interrupted' && status.isPromptReady) {
    notices.push({ kind: 'finished', subject: end.answer ?? '' });
  }
  return [...notices, ...concerns.map(noticeOf)];
}

function noticeOf(concern: Concern): AgentNotice {
  switch (concern.kind) {
    case 'repeatedFailure':
      return { kind: 'failing', subject: concern.title, concern };
    case 'loop':
      return { kind: 'looping', subject: concern.title, concern };
    case 'editRevert':
      return { kind: 'looping', subject: concern.file, concern };
    case 'stuck':
      return { kind: 'stuck', subject: '', concern };
    case 'approvalForgotten':
      return { kind: 'approval', subject: concern.title, concern };
  }
}

/** Notices of the same kind about the same session are at least this far apart. */
const QUIET_MS = 30_000;
/** The limit for all sessions together; the list of sessions and the badge show the rest. */
const MAX_PER_MINUTE = 6;
const MINUTE_MS = 60_000;

/** Limits the rate of notifications when many sessions are busy. */
export class NoticeLimit {
  readonly #last = new Map<string, number>();
  #recent: number[] = [];

  /** Whether a notice may be shown now; if so, it counts as shown. */
  mayShow(session: string, kind: NoticeKind, nowMs: number): boolean {
    const key = `${session} ${kind}`;
    for (const [old, shownMs] of this.#last)
      if (nowMs - shownMs >= QUIET_MS) this.#last.delete(old);
    this.#recent = this.#recent.filter((shownMs) => nowMs - shownMs < MINUTE_MS);
    if (this.#last.has(key) || this.#recent.length >= MAX_PER_MINUTE) return false;
    this.#last.set(key, nowMs);
    this.#recent.push(nowMs);
    return true;
  }
}
