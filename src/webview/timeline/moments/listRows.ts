import type { PageMoment } from '../../../timeline/common/moments/moment.ts';

/** A row of the list: a moment, and the moments that are shown with it. */
export interface ListRow {
  readonly moment: PageMoment;
  /** For a tool call: the message before it, its approval and its snapshot, in session order. */
  readonly parts: readonly PageMoment[];
}

/**
 * Returns one row for each tool call, and for each moment that belongs to none.
 * @param visible the moments that match the filter; a part gets its own row if its tool call does
 * not match
 */
export function listRows(
  visible: readonly PageMoment[],
  all: readonly PageMoment[],
): readonly ListRow[] {
  const shown = new Set(visible.map(({ id }) => id));
  const parts = new Map<string, PageMoment[]>();
  for (const moment of all) {
    if (moment.partOf === undefined) continue;
    const known = parts.get(moment.partOf);
    if (known) known.push(moment);
    else parts.set(moment.partOf, [moment]);
  }
  return visible
    .filter(({ partOf }) => partOf === undefined || !shown.has(partOf))
    .map((moment) => ({ moment, parts: parts.get(moment.id) ?? [] }));
}

export function openApproval({ moment, parts }: ListRow): PageMoment | undefined {
  return [moment, ...parts].findLast(({ isOpen }) => isOpen === true);
}

/** The moment with the files that the row's actions open, restore and branch from. */
export function snapshotOf({ moment, parts }: ListRow): PageMoment | undefined {
  return [moment, ...parts].findLast(({ snapshotId }) => snapshotId !== undefined);
}

/**
 * The moment that a click on the row goes to: the question that waits for an answer, or the end of
 * the tool call, so that the screen, the files and a branch from there are of the same moment.
 */
export function targetOf(row: ListRow): PageMoment {
  return openApproval(row) ?? snapshotOf(row) ?? row.moment;
}
