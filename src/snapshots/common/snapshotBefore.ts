import type { SnapshotLine, SnapshotTrigger } from './snapshotLine.ts';

/**
 * The last state that was kept before a snapshot was taken: what differs between the two is what the tool or command before
 * that moment did to the files. Undefined for the first.
 */
export function snapshotBefore(
  snapshots: readonly SnapshotLine[],
  id: bigint,
): SnapshotLine | undefined {
  const at = snapshots.findIndex((line) => line.id === id);
  return snapshots.slice(0, Math.max(0, at)).findLast(({ files }) => files.state === 'kept');
}

const AFTER_A_TOOL: readonly SnapshotTrigger[] = ['tool', 'command', 'end'];

/**
 * The snapshot that has the files as a tool left them: the first that was taken for it after it began, and before the next one
 * did. Undefined when there is none, as for tools that run side by side.
 */
export function snapshotOfTool(
  snapshots: readonly SnapshotLine[],
  beganNs: bigint,
  nextBeganNs: bigint | undefined,
): SnapshotLine | undefined {
  return snapshots.find(
    ({ tsNs, files, trigger }) =>
      files.state === 'kept' &&
      AFTER_A_TOOL.includes(trigger) &&
      tsNs > beganNs &&
      (nextBeganNs === undefined || tsNs <= nextBeganNs),
  );
}
