import { snapshotLabel } from '../../../snapshots/common/snapshotLabel.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';

/** Labels are compared up to this length, since older recorders cut long ones at another length. */
const COMPARED_LENGTH = 100;

const SHOWN_WITH_TOOL: readonly SnapshotLine['files']['state'][] = ['kept', 'pending'];

/** A tool call of an agent. */
export interface ToolStart {
  /** ID of its moment. */
  readonly id: string;
  readonly tsNs: bigint;
  /** The title as the agent reported it, with which the recorder also labels the snapshot. */
  readonly title: string;
}

/**
 * Returns the snapshots that agents' tool calls caused, by the ID of the call's moment. Equal calls
 * that run at the same time can't be told apart: the later call gets the first snapshot.
 * @param tools in order of time
 */
export function snapshotsByTool(
  tools: readonly ToolStart[],
  snapshots: readonly SnapshotLine[],
): Map<string, SnapshotLine> {
  /**
   * For each title: all calls, the index of the next one to begin, and those that have begun and
   * have no snapshot yet.
   */
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
