import type { Clock } from '../../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/lifecycle.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';
import type { SnapshotProvider, TakenSnapshot } from '../../common/provider.ts';
import type { SnapshotLine } from '../../common/snapshotLine.ts';
import type { ChangeSource } from '../take/takeWorkspaceSnapshot.ts';
import { SnapshotVerifier } from './snapshotVerifier.ts';
import { UnverifiedLines } from './unverifiedLines.ts';
import type { WorkspaceWatcher } from '../watch/workspaceWatcher.ts';

export interface SnapshotVerificationParts {
  readonly provider: Promise<SnapshotProvider>;
  readonly watcher: Promise<WorkspaceWatcher | undefined>;
  readonly clock: Clock;
  /** Appends to `session.snapshots.jsonl`. */
  append(lines: readonly SnapshotLine[]): Promise<void>;
  /** The watcher missed a change: take a snapshot that includes it. */
  onDidMiss(paths: readonly string[]): void;
}

/** Provides the watcher's changes for incremental snapshots, and verifies these snapshots later. */
export class SnapshotVerification implements Disposable {
  readonly changes: ChangeSource;
  readonly #parts: SnapshotVerificationParts;
  readonly #unverified = new UnverifiedLines();
  readonly #verifier: SnapshotVerifier;
  readonly #store = new DisposableStore();
  /** The reference of the session's last snapshot, which is complete. */
  #endRef: string | undefined;

  constructor(parts: SnapshotVerificationParts) {
    this.#parts = parts;
    const { provider, watcher, clock } = parts;
    const verifier = new SnapshotVerifier(
      {
        provider,
        clock,
        stat: (path) => nodeFiles.stat(path),
        catchUp: async () => (await watcher)?.catchUp() ?? false,
      },
      (missed, untilNs) => void this.#afterComparison(missed, untilNs),
    );
    this.#verifier = this.#store.add(verifier);
    this.changes = {
      take: async () => {
        const watching = await watcher;
        const changed = await watching?.take();
        verifier.begin();
        // Changes in these folders are not all reported, so each snapshot scans them.
        verifier.tell(watching?.deepFolders ?? []);
        return changed;
      },
      forget: () => void watcher.then((each) => each?.forget()),
    };
    void watcher.then((each) => {
      if (each) this.#store.add(each.onDidChange((paths) => verifier.tell(paths)));
    });
  }

  /** Call when a snapshot was incremental. */
  onDidTrust(taken: TakenSnapshot, startedNs: bigint): void {
    this.#verifier.note(taken, startedNs);
  }

  /** @param trustingSinceNs time of the snapshot's start, if it was incremental */
  onDidTake(line: SnapshotLine, trustingSinceNs?: bigint): void {
    if (trustingSinceNs !== undefined) this.#unverified.add(line, trustingSinceNs);
    if (line.trigger === 'end' && line.files.state === 'kept') this.#endRef = line.files.ref;
  }

  /** Stops comparisons with the workspace, because they store its files. Returns when none runs. */
  pause(): Promise<void> {
    return this.#verifier.pause();
  }

  resume(): void {
    this.#verifier.resume();
  }

  /** Call before the last snapshot: from then on, only the last snapshot verifies others. */
  stop(): void {
    this.#verifier.stop();
  }

  /** Verifies snapshots by comparing with the last one, and marks the rest as never verified. */
  async finish(): Promise<void> {
    if (this.#unverified.isEmpty) return;
    if (this.#endRef !== undefined) await this.#verifier.verifyBy(this.#endRef);
    await this.#append(this.#unverified.giveUp());
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * After a missed change the watcher is no longer used. The incremental snapshots since the last
   * comparison are marked as possibly lacking the change, and a new snapshot includes it.
   */
  async #afterComparison(missed: readonly string[], untilNs: bigint): Promise<void> {
    const appended = this.#append(this.#unverified.markVerified(untilNs, missed));
    if (missed.length > 0) {
      (await this.#parts.watcher)?.distrust();
      this.#parts.onDidMiss(missed);
    }
    await appended;
  }

  async #append(lines: readonly SnapshotLine[]): Promise<void> {
    // On a full disk the snapshots stay unverified.
    if (lines.length > 0) await this.#parts.append(lines).catch(() => {});
  }
}
