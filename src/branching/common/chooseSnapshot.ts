import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import type { MomentRef } from './momentRef.ts';

/** A nearer snapshot, and why it is not used. */
export interface PassedOver {
  readonly line: SnapshotLine;
  /** A sentence. */
  readonly reason: string;
}

/**
 * `asked`: the snapshot itself was requested. `before`: the last usable one at or before the
 * moment. `later`: no usable one exists before the moment.
 */
export type ChoiceReason = 'asked' | 'before' | 'later';

export interface SnapshotChoice {
  /** Undefined when none can be used. */
  readonly line: SnapshotLine | undefined;
  readonly passedOver: readonly PassedOver[];
  readonly why: ChoiceReason;
}

/**
 * Chooses the snapshot for a moment: the nearest one at or before it, of equal ones the newest, so
 * that files and conversation match. If it can't be used, an earlier one, and only then a later
 * one.
 * @param problemOf why a snapshot can't be used; undefined when it can
 */
export async function chooseSnapshot(
  lines: readonly SnapshotLine[],
  moment: MomentRef,
  problemOf: (line: SnapshotLine) => Promise<string | undefined>,
): Promise<SnapshotChoice> {
  const passedOver: PassedOver[] = [];
  for (const line of inOrderOfChoice(lines, moment)) {
    const reason = await problemOf(line);
    if (reason === undefined) return { line, passedOver, why: whyChosen(line, moment) };
    passedOver.push({ line, reason });
  }
  return { line: undefined, passedOver, why: 'before' };
}

function whyChosen(line: SnapshotLine, moment: MomentRef): ChoiceReason {
  if (isSnapshot(moment, line)) return 'asked';
  return isBefore(line, moment) ? 'before' : 'later';
}

function inOrderOfChoice(lines: readonly SnapshotLine[], moment: MomentRef): SnapshotLine[] {
  // Other programs store the files of some snapshots: those are used only when requested by number.
  const isOurs = (line: SnapshotLine): boolean =>
    line.files.state !== 'elsewhere' || isSnapshot(moment, line);
  const ordered = lines.filter(isOurs).sort(byTime);
  const before = ordered.filter((line) => isBefore(line, moment));
  return [...before.reverse(), ...ordered.filter((line) => !isBefore(line, moment))];
}

function isSnapshot(moment: MomentRef, { id }: SnapshotLine): boolean {
  return 'snapshotId' in moment && moment.snapshotId === id;
}

function isBefore({ id, anchorByte, tsNs }: SnapshotLine, moment: MomentRef): boolean {
  if ('snapshotId' in moment) return id <= moment.snapshotId;
  // Time passes without output, and much output has the same time: neither may be later.
  const { byte = Infinity, timeNs } = moment;
  return anchorByte <= byte && (timeNs === undefined || tsNs <= timeNs);
}

function byTime(a: SnapshotLine, b: SnapshotLine): number {
  if (a.anchorByte !== b.anchorByte) return a.anchorByte - b.anchorByte;
  if (a.tsNs !== b.tsNs) return a.tsNs < b.tsNs ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
