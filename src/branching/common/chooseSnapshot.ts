import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import type { MomentRef } from './momentRef.ts';

/** A snapshot that is nearer to the moment than the chosen one but can't be used. */
export interface PassedOver {
  readonly line: SnapshotLine;
  /** Why the snapshot can't be used, as a sentence. */
  readonly reason: string;
}

/**
 * `asked`: the request named this snapshot. `before`: this is the last usable snapshot at or before
 * the moment. `later`: no usable snapshot exists before the moment.
 */
export type ChoiceReason = 'asked' | 'before' | 'later';

export interface SnapshotChoice {
  /** Undefined when no snapshot can be used. */
  readonly line: SnapshotLine | undefined;
  readonly passedOver: readonly PassedOver[];
  readonly why: ChoiceReason;
}

/**
 * Chooses the snapshot for a moment: the last usable one at or before the moment, so that the files
 * match the conversation. If there is none, the first usable one after the moment.
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
  // Compare both byte offset and time: several snapshots may share a byte offset if the program was
  // silent, or a time if it printed much at once.
  const { byte = Infinity, timeNs } = moment;
  return anchorByte <= byte && (timeNs === undefined || tsNs <= timeNs);
}

function byTime(a: SnapshotLine, b: SnapshotLine): number {
  if (a.anchorByte !== b.anchorByte) return a.anchorByte - b.anchorByte;
  if (a.tsNs !== b.tsNs) return a.tsNs < b.tsNs ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
