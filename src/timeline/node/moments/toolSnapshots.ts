import { snapshotLabel } from '../../../snapshots/common/snapshotLabel.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';

/** Older recorders cut long labels elsewhere. */
const COMPARED_LENGTH = 100;

const SHOWN_WITH_TOOL: readonly SnapshotLine['files']['state'][] = ['kept', 'pending'];

/** A tool call of an agent. */
export interface ToolStart {
  /** ID of its moment. */
  readonly id: string;
  readonly tsNs: bigint;
  /** As the agent reported it: the recorder labels the snapshot with it. */
  readonly title: string;
}

/**
 * Returns the snapshots that agents' tool calls caused, by the ID of the call's moment. Of equal
 * calls at the same time, the later one has the first snapshot: nothing tells them apart.
 * @param tools in order of time
 */
export function snapshotsByTool(
  tools: readonly ToolStart[],
  snapshots: readonly SnapshotLine[],
): Map<string, SnapshotLine> {
  /** The calls of each title that have no snapshot yet: the next to begin, and the last begun. */
  const byTitle = new Map<
    string,
    { readonly all: ToolStart[]; next: number; begun: ToolStart[] }
  >();
  for (const tool of tools) {
    const title = comparable(tool.title);
    const calls = byTitle.get(title) ?? { all: [], next: 0, begun: [] };
    byTitle.set(title, calls);
    calls.all.push(tool);
  }
  const found = new Map<string, SnapshotLine>();
  const taken = snapshots.filter(({ trigger }) => trigger === 'tool');
  for (const line of taken.sort((a, b) => (a.tsNs < b.tsNs ? -1 : a.tsNs > b.tsNs ? 1 : 0))) {
    const calls = byTitle.get(comparable(line.label));
    if (!calls) continue;
    for (let tool = calls.all[calls.next]; tool && tool.tsNs < line.tsNs;) {
      calls.begun.push(tool);
      tool = calls.all[++calls.next];
    }
    const tool = calls.begun.pop();
    // A snapshot that has failed needs the user's attention, so it keeps a row of its own.
    if (tool && SHOWN_WITH_TOOL.includes(line.files.state)) found.set(tool.id, line);
  }
  return found;
}

function comparable(text: string): string {
  return snapshotLabel(text).slice(0, COMPARED_LENGTH);
}
