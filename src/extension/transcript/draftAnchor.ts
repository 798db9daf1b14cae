import type { TranscriptLine } from '../../timeline/common/transcript/transcript.ts';

/** Identifies a line of a transcript, so that it can be found after lines were added before it. */
export interface DraftAnchor {
  readonly kind: string;
  readonly byte: number;
  readonly timeMs: number;
  /** How many earlier lines have the same kind and position, such as the lines of one message. */
  readonly nth: number;
}

export interface FoundLine {
  readonly index: number;
  /** False if the line is gone; `index` is then that of the nearest earlier line. */
  readonly isExact: boolean;
}

export function anchorOf(lines: readonly TranscriptLine[], index: number): DraftAnchor {
  const { kind = 'screen', byteOffset = 0, timeMs = 0 } = lines[index] ?? {};
  const place = { kind, byte: byteOffset, timeMs };
  return { ...place, nth: lines.slice(0, index).filter((line) => isAt(line, place)).length };
}

export function findLine(lines: readonly TranscriptLine[], anchor: DraftAnchor): FoundLine {
  const same: number[] = [];
  let nearest = 0;
  let nearestByte = -1;
  for (const [index, line] of lines.entries()) {
    if (isAt(line, anchor)) same.push(index);
    if (line.byteOffset > anchor.byte || line.byteOffset < nearestByte) continue;
    nearest = index;
    nearestByte = line.byteOffset;
  }
  const exact = same[anchor.nth];
  if (exact !== undefined) return { index: exact, isExact: true };
  return { index: same.at(-1) ?? nearest, isExact: false };
}

function isAt(line: TranscriptLine, { kind, byte, timeMs }: Omit<DraftAnchor, 'nth'>): boolean {
  return line.kind === kind && line.byteOffset === byte && line.timeMs === timeMs;
}
