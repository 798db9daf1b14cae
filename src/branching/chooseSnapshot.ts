import type { SnapshotLine } from '../snapshots/snapshotLine.ts';

/** Where a branch is to begin. */
export type BranchPoint =
  | { readonly kind: 'snapshot'; readonly id: bigint }
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'time'; readonly tsNs: bigint };

/** A snapshot that would have been nearer, and why it is not used. */
export interface PassedOver {
  readonly line: SnapshotLine;
  /** A sentence. */
  readonly reason: string;
}

export interface SnapshotChoice {
  /** Undefined when none can be used. */
  readonly line: SnapshotLine | undefined;
  readonly passedOver: readonly PassedOver[];
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
    if (reason === undefined) return { line, passedOver };
    passedOver.push({ line, reason });
  }
  return { line: undefined, passedOver };
}

/** Whether what is chosen is not what the point asks for: a person has to be told. */
export function isSecondChoice({ passedOver }: SnapshotChoice): boolean {
  return passedOver.length > 0;
}

function inOrderOfChoice(lines: readonly SnapshotLine[], point: BranchPoint): SnapshotLine[] {
  // Moments whose files somebody else keeps are none of ours to choose from, but for one that is asked for.
  const isOurs = ({ id, files }: SnapshotLine): boolean =>
    files.state !== 'elsewhere' || (point.kind === 'snapshot' && point.id === id);
  const ordered = lines.filter(isOurs).sort(byTime);
  const isBefore = (line: SnapshotLine): boolean => {
    if (point.kind === 'snapshot') return line.id <= point.id;
    return point.kind === 'byte' ? line.anchorByte <= point.byte : line.tsNs <= point.tsNs;
  };
  return [...ordered.filter(isBefore).reverse(), ...ordered.filter((line) => !isBefore(line))];
}

function byTime(a: SnapshotLine, b: SnapshotLine): number {
  if (a.anchorByte !== b.anchorByte) return a.anchorByte - b.anchorByte;
  if (a.tsNs !== b.tsNs) return a.tsNs < b.tsNs ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
