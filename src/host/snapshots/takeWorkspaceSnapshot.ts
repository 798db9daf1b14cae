import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { SnapshotProvider, TakenSnapshot } from '../../snapshots/common/provider.ts';
import type { SnapshotFiles, SnapshotTrigger } from '../../snapshots/common/snapshotLine.ts';
import { preStartName } from '../../snapshots/common/snapshotName.ts';

/** Says where to look for what has changed. */
export interface ChangeSource {
  /** What may have changed since it was asked last; unknown when nothing is returned. */
  take(): Promise<readonly string[] | undefined>;
  /** What it said last was not used. */
  forget(): void;
}

export interface StateKeeperParts {
  readonly sessionId: string;
  /** Settles when it is known which one works here; rejects with the reason why none does. */
  readonly provider: Promise<SnapshotProvider>;
  readonly clock: Clock;
  readonly changes: ChangeSource;
  /** A snapshot that began at that time looked only where something was said to have changed. */
  onDidTrust?(taken: TakenSnapshot, startedNs: bigint): void;
  /** Whether the program runs. */
  hasStarted(): boolean;
  /** A snapshot that takes longer is given up. */
  readonly giveUpMs: number;
}

export interface StateRequest {
  readonly name: string;
  readonly label: string;
  /** Of all whose state it is. */
  readonly triggers: readonly SnapshotTrigger[];
}

export interface KeptState {
  readonly files: SnapshotFiles;
  readonly isUnchanged: boolean;
  /** When it began, if it looked only where something was said to have changed. */
  readonly trustingSinceNs?: bigint;
}

/** Has the provider keep the files as they are, in time. Never rejects: a failure is an answer too. */
export async function takeWorkspaceSnapshot(
  parts: StateKeeperParts,
  { name, label, triggers }: StateRequest,
  stop: AbortSignal,
): Promise<KeptState> {
  const { clock, sessionId, giveUpMs } = parts;
  const giveUp = new AbortController();
  const timer = clock.schedule(giveUpMs, () => giveUp.abort());
  const signal = AbortSignal.any([giveUp.signal, stop]);
  try {
    const provider = await parts.provider;
    // Nothing comes after the end that would prove what a watcher said, and nobody waits.
    const changedPaths = triggers.includes('end') ? undefined : await parts.changes.take();
    const startedNs = clock.nowNs();
    // Once the program runs, it is too late to find the files as they were before.
    const fineAsKept = () => (parts.hasStarted() ? [preStartName(sessionId)] : []);
    const taken = await provider.take({
      ...{ name, label, signal },
      ...(changedPaths && { changedPaths }),
      ...(triggers[0] === 'start' && { reuseIfExists: fineAsKept }),
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
      ? `It took longer than ${giveUpMs / 1000} seconds.`
      : messageOf(error);
    return { files: { state: 'failed', reason }, isUnchanged: false };
  } finally {
    timer.dispose();
  }
}

function keptFiles(provider: SnapshotProvider, taken: TakenSnapshot): SnapshotFiles {
  const { ref, stats, omissions, isPartial } = taken;
  const kept = { state: 'kept', provider: provider.name, ref, stats, omissions } as const;
  return isPartial ? { ...kept, isUnproven: true } : kept;
}
