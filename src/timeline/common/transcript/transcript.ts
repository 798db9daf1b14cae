import type { Moment, MomentKind } from '../moment.ts';
import { millisecondsSince } from '../recordIndex.ts';
import type { KeptLine } from './thinOut.ts';

/** `screen`: it was shown. `text`: the rest of what a moment says. `omitted`: so many lines, in `count`, are not here. */
export type TranscriptLineKind = 'screen' | 'text' | 'omitted' | MomentKind;

/** One line of a session as text. */
export interface TranscriptLine {
  readonly kind: TranscriptLineKind;
  readonly text: string;
  /** Where one is that branches after it. */
  readonly byteOffset: number;
  /** Milliseconds since the recording began. */
  readonly timeMs: number;
  /** When one is at `byteOffset`, where that is later: what is on a screen may be written anew for a while. */
  readonly lastMs?: number;
  readonly count?: number;
  /** Of the first line of a moment. */
  readonly momentId?: string;
  readonly detail?: string;
  readonly isError?: boolean;
  readonly snapshotId?: string;
  readonly turn?: number;
}

/** Longer lines make every editor slow; nobody reads on there. */
const MAX_LINE_LENGTH = 2000;
const MAX_TEXT_LINES = 500;

/**
 * A session to be read: what was on its screen, with what its agent did in between. A moment comes before the first line that
 * was shown after it.
 *
 * @param lines in the order in which they were shown
 * @param moments in the session's order
 */
export function transcriptOf(
  lines: readonly KeptLine[],
  moments: readonly Moment[],
  startNs: bigint,
): TranscriptLine[] {
  const result: TranscriptLine[] = [];
  let next = 0;
  const addMoments = (before: number): void => {
    while (next < moments.length && moments[next]!.byteOffset < before) {
      const [first, ...rest] = momentLines(moments[next++]!, startNs);
      // What a person asked for begins something new.
      if (first?.kind === 'prompt' && result.length > 0) {
        const { byteOffset, timeMs } = first;
        result.push({ kind: 'text', text: '', byteOffset, timeMs });
      }
      if (first) result.push(first, ...rest);
    }
  };
  for (const line of lines) {
    addMoments(line.firstByte);
    result.push(screenLine(line, startNs));
  }
  addMoments(Infinity);
  return result;
}

function screenLine(line: KeptLine, startNs: bigint): TranscriptLine {
  const timeMs = Math.max(0, millisecondsSince(startNs, line.tsNs));
  const { omitted, text, lastByte: byteOffset } = line;
  const lastMs = Math.max(0, millisecondsSince(startNs, line.lastNs));
  const place = { byteOffset, timeMs, ...(lastMs > timeMs && { lastMs }) };
  if (omitted !== undefined) return { kind: 'omitted', text: '', ...place, count: omitted };
  return { kind: 'screen', text: oneLine(text), ...place };
}

function momentLines(moment: Moment, startNs: bigint): TranscriptLine[] {
  const { id, kind, byteOffset, title, detail, isError, snapshotId, turn, text } = moment;
  // How large the terminal was is nothing that anybody said or did.
  if (kind === 'resize') return [];
  const place = { byteOffset, timeMs: Math.max(0, millisecondsSince(startNs, moment.tsNs)) };
  const [first = title, ...rest] = (text ?? title).trim().split('\n').slice(0, MAX_TEXT_LINES);
  return [
    {
      ...{ kind, text: oneLine(first), ...place, momentId: id },
      ...(detail !== undefined && { detail: oneLine(detail) }),
      ...(isError === true && { isError }),
      ...(snapshotId !== undefined && { snapshotId }),
      ...(turn !== undefined && { turn }),
    },
    ...rest.map((line): TranscriptLine => ({ kind: 'text', text: oneLine(line), ...place })),
  ];
}

/** Control characters, ends of lines, and what turns the direction of text around to make it read as something else. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

function oneLine(text: string): string {
  return text.replace(UNSEEN, ' ').slice(0, MAX_LINE_LENGTH).trimEnd();
}
