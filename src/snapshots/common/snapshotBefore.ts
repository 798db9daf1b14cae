import type { SnapshotLine, SnapshotTrigger } from './snapshotLine.ts';

/**
 * Returns the last stored snapshot before the given one. The difference between the two is what the
 * tool or command before the given moment changed. Undefined for the first snapshot.
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
 * Returns the snapshot that has the files as a tool call left them: the first one that was taken
 * after a tool, between the start of this tool call and the start of the next. Undefined if there
 * is none, for example if tools ran in parallel.
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

/** Two different snapshots, the earlier one first. */
export interface SnapshotPair {
  readonly before: SnapshotLine;
  readonly after: SnapshotLine;
}

/**
 * Finds the stored snapshots around a turn. `before` is the last one before the turn's prompt, or
 * the first one in the turn if the session had none yet. `after` is the last one in the turn that
 * was taken after a tool call, or else the last one in the turn.
 * @returns undefined unless these are two different snapshots
 */
export function snapshotsOfTurn(
  snapshots: readonly SnapshotLine[],
  promptNs: bigint,
  nextPromptNs: bigint | undefined,
): SnapshotPair | undefined {
  const kept = snapshots.filter(({ files }) => files.state === 'kept');
  const inTurn = kept.filter(
    ({ tsNs }) => tsNs > promptNs && (nextPromptNs === undefined || tsNs <= nextPromptNs),
  );
  const before = kept.findLast(({ tsNs }) => tsNs <= promptNs) ?? inTurn[0];
  const after = inTurn.findLast(({ trigger }) => AFTER_A_TOOL.includes(trigger)) ?? inTurn.at(-1);
  return before && after && before !== after ? { before, after } : undefined;
}
