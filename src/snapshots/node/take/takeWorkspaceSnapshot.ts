import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { SnapshotProvider, TakenSnapshot } from '../../common/provider.ts';
import type { SnapshotFiles, SnapshotTrigger } from '../../common/snapshotLine.ts';
import { preStartName } from '../../common/snapshotName.ts';

/** Provides the paths that have changed. */
export interface ChangeSource {
  /**
   * The paths that may have changed since the last call; undefined when any file may have changed.
   */
  take(): Promise<readonly string[] | undefined>;
  /** Call when the last result was not used. */
  forget(): void;
}

export interface TakeParts {
  readonly sessionId: string;
  /** Rejects with the reason when no provider works here. */
  readonly provider: Promise<SnapshotProvider>;
  readonly clock: Clock;
  readonly changes: ChangeSource;
  /** Called after an incremental snapshot, which trusts the watcher's reports. */
  onDidTrust?(taken: TakenSnapshot, startedNs: bigint): void;
  /** Whether the program runs. */
  hasStarted(): boolean;
  /** A snapshot that takes longer fails. */
  readonly giveUpMs: number;
}

export interface SharedRequest {
  readonly name: string;
  readonly label: string;
  /** The triggers of all requests that share the snapshot. */
  readonly triggers: readonly SnapshotTrigger[];
}

export interface SnapshotOutcome {
  readonly files: SnapshotFiles;
  readonly isUnchanged: boolean;
  /** Time of the snapshot's start, if it was incremental. */
  readonly trustingSinceNs?: bigint;
}

/**
 * Takes a snapshot with the provider, within a time limit. Never rejects: a failure is part of the
 * result.
 */
export async function takeWorkspaceSnapshot(
  parts: TakeParts,
  { name, label, triggers }: SharedRequest,
  stop: AbortSignal,
): Promise<SnapshotOutcome> {
  const { clock, sessionId, giveUpMs } = parts;
  const giveUp = new AbortController();
  const timer = clock.schedule(giveUpMs, () => giveUp.abort());
  const signal = AbortSignal.any([giveUp.signal, stop]);
  try {
    const provider = await parts.provider;
    // The last snapshot scans everything: no later one could verify it, and nothing waits for it.
    const changedPaths = triggers.includes('end') ? undefined : await parts.changes.take();
    const startedNs = clock.nowNs();
    // If the program already runs, a new snapshot could contain its changes: reuse the one from
    // before.
    const reusable = () => (parts.hasStarted() ? [preStartName(sessionId)] : []);
    const taken = await provider.take({
      name,
      label,
      signal,
      ...(changedPaths && { changedPaths }),
      ...(triggers[0] === 'start' && { reuseIfExists: reusable }),
    });
    if (taken.isPartial) parts.onDidTrust?.(taken, startedNs);
    return {
      files: keptFiles(provider, taken),
      isUnchanged: taken.isUnchanged,
      ...(taken.isPartial && { trustingSinceNs: startedNs }),
    };
  } catch (error) {
    parts.changes.forget();
    const reason = giveUp.signal.aborted
      ? `The snapshot took longer than ${giveUpMs / 1000} seconds.`
      : messageOf(error);
    return { files: { state: 'failed', reason }, isUnchanged: false };
  } finally {
    timer.dispose();
  }
}

function keptFiles(provider: SnapshotProvider, taken: TakenSnapshot): SnapshotFiles {
  const { ref, stats, omissions, isPartial } = taken;
  const kept = { state: 'kept', provider: provider.name, ref, stats, omissions } as const;
  return isPartial ? { ...kept, isUnverified: true } : kept;
}
