import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';

/** Where a branch is to begin. */
export type BranchPoint =
  | { readonly kind: 'snapshot'; readonly id: bigint }
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'time'; readonly tsNs: bigint }
  | { readonly kind: 'moment'; readonly byte: number; readonly tsNs: bigint };

/** A snapshot that would have been nearer, and why it is not used. */
export interface PassedOver {
  readonly line: SnapshotLine;
  /** A sentence. */
  readonly reason: string;
}

/** It is the one that was asked for, the last one at or before the point, or a later one for there is none before that can be used. */
export type ChoiceReason = 'asked' | 'before' | 'later';

export interface SnapshotChoice {
  /** Undefined when none can be used. */
  readonly line: SnapshotLine | undefined;
  readonly passedOver: readonly PassedOver[];
  readonly why: ChoiceReason;
}

/**
 * The snapshot for a point: the nearest one at or before it, of equal ones the newest, so that files and conversation fit.
 * Where that one is missing or damaged the next one before it, and only then one that was taken later.
 * @param troubleWith why the files of a snapshot cannot be had, if so
 */
export async function chooseSnapshot(
  lines: readonly SnapshotLine[],
  point: BranchPoint,
  troubleWith: (line: SnapshotLine) => Promise<string | undefined>,
): Promise<SnapshotChoice> {
  const passedOver: PassedOver[] = [];
  for (const line of inOrderOfChoice(lines, point)) {
    const reason = await troubleWith(line);
    if (reason === undefined) return { line, passedOver, why: whyChosen(line, point) };
    passedOver.push({ line, reason });
  }
  return { line: undefined, passedOver, why: 'before' };
}

function whyChosen(line: SnapshotLine, point: BranchPoint): ChoiceReason {
  if (point.kind === 'snapshot' && point.id === line.id) return 'asked';
  return isBefore(line, point) ? 'before' : 'later';
}

function inOrderOfChoice(lines: readonly SnapshotLine[], point: BranchPoint): SnapshotLine[] {
  // Moments whose files somebody else keeps are none of ours to choose from, but for one that is asked for.
  const isOurs = ({ id, files }: SnapshotLine): boolean =>
    files.state !== 'elsewhere' || (point.kind === 'snapshot' && point.id === id);
  const ordered = lines.filter(isOurs).sort(byTime);
  const before = ordered.filter((line) => isBefore(line, point));
  return [...before.reverse(), ...ordered.filter((line) => !isBefore(line, point))];
}

function isBefore({ id, anchorByte, tsNs }: SnapshotLine, point: BranchPoint): boolean {
  switch (point.kind) {
    case 'snapshot':
      return id <= point.id;
    case 'byte':
      return anchorByte <= point.byte;
    case 'time':
      return tsNs <= point.tsNs;
    // Time does not stand still where nothing is printed, and much is printed within one instant: neither may be later.
    case 'moment':
      return anchorByte <= point.byte && tsNs <= point.tsNs;
  }
}

function byTime(a: SnapshotLine, b: SnapshotLine): number {
  if (a.anchorByte !== b.anchorByte) return a.anchorByte - b.anchorByte;
  if (a.tsNs !== b.tsNs) return a.tsNs < b.tsNs ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
