/** What a moment is of, in the order in which they are offered as filters. */
export const MOMENT_KINDS = [
  'prompt',
  'message',
  'tool',
  'approval',
  'error',
  'snapshot',
  'branch',
  'mark',
  'resize',
] as const;

export type MomentKind = (typeof MOMENT_KINDS)[number];

/** A labelled point of a session, to go to and to branch from. */
export interface Moment {
  /** Unique in its session, and the same each time the session is opened. */
  readonly id: string;
  readonly kind: MomentKind;
  readonly tsNs: bigint;
  /** Bytes of output that came before it. */
  readonly byteOffset: number;
  readonly title: string;
  readonly detail?: string;
  /** Exactly what it is about, in lines: a command, a change. */
  readonly exact?: string;
  /** Somebody is asked, and has not answered yet. */
  readonly isOpen?: boolean;
  /** All of what was said, where the title is only its start. */
  readonly text?: string;
  readonly isError?: boolean;
  /** Somebody asked for it; others come by themselves. */
  readonly isManual?: boolean;
  /** The files as they were then; decimal, for it may be larger than a number can hold. */
  readonly snapshotId?: string;
  /** The files as they were after it: what it changed is what differs from the snapshot before that one. Decimal. */
  readonly changesId?: string;
  /** Which of the user's turns it belongs to, from 1; none before the first. */
  readonly turn?: number;
}

export function isMomentKind(value: unknown): value is MomentKind {
  return (MOMENT_KINDS as readonly unknown[]).includes(value);
}

/** In the order of the session: by output, then by time, then as they came. */
export function compareMoments(a: Moment, b: Moment): number {
  if (a.byteOffset !== b.byteOffset) return a.byteOffset - b.byteOffset;
  return a.tsNs < b.tsNs ? -1 : a.tsNs > b.tsNs ? 1 : 0;
}

/** Numbers the turns: each prompt begins one, and what follows belongs to it. Expects the session's order. */
export function withTurns(moments: readonly Moment[]): Moment[] {
  let turn = 0;
  return moments.map((moment) => {
    if (moment.kind === 'prompt') turn++;
    return turn === 0 ? moment : { ...moment, turn };
  });
}
