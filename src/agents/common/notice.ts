import type { Concern } from './detectors.ts';
import type { AgentEvent } from './events.ts';
import type { StatusView } from './status.ts';

/** What a person may want to be told about a session. Each kind can be turned off. */
export const NOTICE_KINDS = ['approval', 'finished', 'failing', 'looping', 'stuck'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface AgentNotice {
  readonly kind: NoticeKind;
  /** The command, the file, the last words; may be empty, and may hold secrets. */
  readonly subject: string;
  readonly concern?: Concern;
}

/** What has just happened to a session. */
export interface NewsOfSession {
  readonly status: StatusView;
  readonly statusBefore: StatusView;
  readonly events: readonly AgentEvent[];
  readonly concerns: readonly Concern[];
}

export function noticesOf({
  status,
  statusBefore,
  events,
  concerns,
}: NewsOfSession): AgentNotice[] {
  const notices: AgentNotice[] = [];
  const isNewlyAsked =
    status.status === 'waiting_approval' &&
    (statusBefore.status !== 'waiting_approval' || statusBefore.sinceNs !== status.sinceNs);
  if (isNewlyAsked) notices.push({ kind: 'approval', subject: status.subject });
  const end = events.findLast((event) => event.kind === 'turn.completed');
  // Who interrupts a turn knows that it is over.
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

/** The same about the same session is not told again for this long. */
const QUIET_MS = 30_000;
/** Of all sessions together, so many in a minute; the list and the badge show the rest. */
const MAX_PER_MINUTE = 6;
const MINUTE_MS = 60_000;

/** Keeps ten busy sessions from burying the screen. */
export class NoticeLimit {
  readonly #last = new Map<string, number>();
  #recent: number[] = [];

  /** Whether it may be told now; if so, it counts as told. */
  mayTell(session: string, kind: NoticeKind, nowMs: number): boolean {
    const key = `${session} ${kind}`;
    for (const [old, toldMs] of this.#last) if (nowMs - toldMs >= QUIET_MS) this.#last.delete(old);
    this.#recent = this.#recent.filter((toldMs) => nowMs - toldMs < MINUTE_MS);
    if (this.#last.has(key) || this.#recent.length >= MAX_PER_MINUTE) return false;
    this.#last.set(key, nowMs);
    this.#recent.push(nowMs);
    return true;
  }
}
