/** Kinds of moments, in the order of the page's filters. */
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

/** A labelled point of a session that one can go to and branch from. */
export interface Moment {
  /** Unique in its session, and the same each time the session is opened. */
  readonly id: string;
  readonly kind: MomentKind;
  readonly tsNs: bigint;
  /** Bytes of output before the moment. */
  readonly byteOffset: number;
  readonly title: string;
  readonly detail?: string;
  /** The full command or change that an approval is about, with its line breaks. */
  readonly exact?: string;
  /** Whether an approval still waits for the user's answer. */
  readonly isOpen?: boolean;
  /** The full text, if the title is only the start of it. */
  readonly text?: string;
  readonly isError?: boolean;
  /** Whether the user asked for the moment; other moments are automatic. */
  readonly isManual?: boolean;
  /** The snapshot taken at this moment; decimal, since IDs can exceed a safe integer. */
  readonly snapshotId?: string;
  /** Whether the snapshot was completed only after the agent had continued. */
  readonly isLate?: boolean;
  /**
   * The ID of the snapshot that has the moment's changes, in decimal; for a prompt, the changes of
   * the whole turn.
   */
  readonly changesId?: string;
  /**
   * The ID of the snapshot to compare `changesId` with, in decimal; undefined for the previous
   * snapshot.
   */
  readonly changesFromId?: string;
  /** The ID of the branch that starts at this moment. */
  readonly branchId?: string;
  /** The ID of the tool call in whose row this moment is listed. */
  readonly partOf?: string;
  /** The turn that the moment belongs to, counted from 1; undefined before the first prompt. */
  readonly turn?: number;
}

/** A moment as the page gets it: its time relative to the recording, without the full text. */
export type PageMoment = Omit<Moment, 'tsNs' | 'text'> & {
  /** Milliseconds since the recording began. */
  readonly timeMs: number;
  /** Whether the branch that starts at this moment was discarded. */
  readonly isDiscarded?: boolean;
};

export function isMomentKind(value: unknown): value is MomentKind {
  return (MOMENT_KINDS as readonly unknown[]).includes(value);
}

/** Compares moments for session order: by byte offset, then by time. */
export function compareMoments(a: Moment, b: Moment): number {
  if (a.byteOffset !== b.byteOffset) return a.byteOffset - b.byteOffset;
  return a.tsNs < b.tsNs ? -1 : a.tsNs > b.tsNs ? 1 : 0;
}

/** Numbers the turns: each prompt begins one. @param moments in session order */
export function withTurns(moments: readonly Moment[]): Moment[] {
  let turn = 0;
  return moments.map((moment) => {
    if (moment.kind === 'prompt') turn++;
    return turn === 0 ? moment : { ...moment, turn };
  });
}
