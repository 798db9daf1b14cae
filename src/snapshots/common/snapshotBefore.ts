import type { SnapshotLine, SnapshotTrigger } from './snapshotLine.ts';

/**
 * Returns the last stored snapshot before the given one; their difference is what the tool or
 * command before that moment changed. Undefined for the first snapshot.
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
 * Returns the first snapshot taken because of a tool after it began and before the next tool began:
 * it has the files as the tool left them. Undefined if there is none, for example if tools ran in
 * parallel.
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

/** The snapshots before and after something; they differ. */
export interface SnapshotPair {
  readonly before: SnapshotLine;
  readonly after: SnapshotLine;
}

/**
 * Returns the stored snapshots around a turn: the last one before its prompt, and the last one that
 * a tool caused before the next prompt, or any one if the tools are unknown. A session may have its
 * first snapshot only after its first prompt. Undefined if there are no two.
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
