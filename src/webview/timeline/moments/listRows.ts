import type { PageMoment } from '../../../timeline/common/moments/moment.ts';

/** A row of the list: a moment, and those that are shown with it. */
export interface ListRow {
  readonly moment: PageMoment;
  /** Of a tool call: the message before it, its approval and its snapshot, in session order. */
  readonly parts: readonly PageMoment[];
}

/**
 * One row for each tool call, and for each moment that belongs to none.
 * @param visible the moments that match the filter: without its tool call, a part has its own row
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

/** The moment whose files the row opens, restores and branches from. */
export function snapshotOf({ moment, parts }: ListRow): PageMoment | undefined {
  return [moment, ...parts].findLast(({ snapshotId }) => snapshotId !== undefined);
}

/**
 * Where the row leads: to the question that waits for an answer, or to the end of the tool call, so
 * that the screen, the files and a branch from there are of the same moment.
 */
export function targetOf(row: ListRow): PageMoment {
  return openApproval(row) ?? snapshotOf(row) ?? row.moment;
}
