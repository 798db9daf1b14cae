import { countWhile } from '../../../base/binarySearch.ts';
import type { Moment, MomentKind } from '../moments/moment.ts';
import { millisecondsSince } from '../recordIndex.ts';
import { MAX_LINE_LENGTH } from './lineText.ts';
import type { PromptWait } from './shellInput.ts';
import type { KeptLine } from './thinOut.ts';

/** `text`: a further line of a moment's text. `omitted`: stands for `count` omitted lines. */
export type TranscriptLineKind = 'screen' | 'text' | 'omitted' | MomentKind;

/** One line of a transcript. */
export interface TranscriptLine {
  readonly kind: TranscriptLineKind;
  readonly text: string;
  /** The position that a branch after this line starts from. */
  readonly byteOffset: number;
  /** Milliseconds since the recording began. */
  readonly timeMs: number;
  /** When the line was last written, if later than `timeMs`. */
  readonly lastMs?: number;
  readonly count?: number;
  /** Set on the first line of a moment. */
  readonly momentId?: string;
  readonly detail?: string;
  readonly isError?: boolean;
  readonly snapshotId?: string;
  /**
   * For a prompt: the IDs of the snapshot after its turn (`changesId`) and of the one before its
   * turn.
   */
  readonly changesId?: string;
  readonly changesFromId?: string;
  readonly turn?: number;
}

/** Replaces the transcript from line `from` on. */
export interface TranscriptUpdate {
  readonly from: number;
  readonly lines: readonly TranscriptLine[];
  /** Whether the transcript covers everything recorded so far. */
  readonly isCurrent: boolean;
}

const MAX_TEXT_LINES = 500;

/**
 * Merges the lines of the screen with the moments: a moment comes before the first line that
 * appeared after it. A snapshot that was taken while a shell waited for a command comes before the
 * prompt, at the end of the command that it is named after.
 *
 * @param lines in order of appearance
 * @param moments in session order
 * @param waits where a shell waited for a command
 */
export function transcriptOf(
  lines: readonly KeptLine[],
  moments: readonly Moment[],
  startNs: bigint,
  waits: readonly PromptWait[] = [],
): TranscriptLine[] {
  const result: TranscriptLine[] = [];
  const placed = moments
    .map((moment) => ({ moment, place: placeOf(moment, waits) }))
    .sort((a, b) => a.place - b.place);
  let next = 0;
  const addMoments = (before: number): void => {
    for (let item = placed[next]; item && item.place < before; item = placed[++next]) {
      const { moment } = item;
      const [first, ...rest] = momentLines(moment, startNs);
      // An empty line separates the turns.
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

/** The byte offset at which a moment is listed. */
function placeOf({ kind, byteOffset }: Moment, waits: readonly PromptWait[]): number {
  if (kind !== 'snapshot') return byteOffset;
  const wait = waits[countWhile(waits, ({ from }) => from <= byteOffset) - 1];
  return wait && byteOffset < wait.to ? wait.from : byteOffset;
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
  const { changesId, changesFromId } = moment;
  // Resizes are not part of the conversation.
  if (kind === 'resize') return [];
  const place = { byteOffset, timeMs: Math.max(0, millisecondsSince(startNs, moment.tsNs)) };
  const [first = title, ...rest] = (text ?? title).trim().split('\n').slice(0, MAX_TEXT_LINES);
  return [
    {
      kind,
      text: oneLine(first),
      ...place,
      momentId: id,
      ...(detail !== undefined && { detail: oneLine(detail) }),
      ...(isError === true && { isError }),
      ...(snapshotId !== undefined && { snapshotId }),
      ...(kind === 'prompt' && changesId !== undefined && { changesId }),
      ...(kind === 'prompt' && changesFromId !== undefined && { changesFromId }),
      ...(turn !== undefined && { turn }),
    },
    ...rest.map((line): TranscriptLine => ({ kind: 'text', text: oneLine(line), ...place })),
  ];
}

/** Control characters, line breaks, and direction marks, which can reverse text. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

function oneLine(text: string): string {
  return text.replace(UNSEEN, ' ').slice(0, MAX_LINE_LENGTH).trimEnd();
}
