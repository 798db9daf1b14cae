import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { nodeFiles } from '../../platform/node/files/files.ts';
import type { SnapshotProvider, TakenSnapshot } from '../../snapshots/common/provider.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import type { ChangeSource } from './takeWorkspaceSnapshot.ts';
import { SnapshotVerifier } from './snapshotVerifier.ts';
import { UnprovenLines } from './unprovenLines.ts';
import type { WorkspaceWatcher } from './workspaceWatcher.ts';

export interface SnapshotProofParts {
  readonly provider: Promise<SnapshotProvider>;
  readonly watcher: Promise<WorkspaceWatcher | undefined>;
  readonly clock: Clock;
  /** Appends to `session.snapshots.jsonl`. */
  append(lines: readonly SnapshotLine[]): Promise<void>;
  /** The watcher missed a change: the next snapshot has it. */
  onDidMiss(): void;
}

/** Believes a watcher as to where files have changed, and proves the snapshots that did so. */
export class SnapshotProof implements Disposable {
  /** For whoever takes snapshots. */
  readonly changes: ChangeSource;
  readonly #parts: SnapshotProofParts;
  readonly #unproven = new UnprovenLines();
  readonly #verifier: SnapshotVerifier;
  readonly #store = new DisposableStore();
  /** Of the snapshot at the end, which looks everywhere. */
  #endRef: string | undefined;

  constructor(parts: SnapshotProofParts) {
    this.#parts = parts;
    const { provider, watcher, clock } = parts;
    const verifier = new SnapshotVerifier(
      {
        ...{ provider, clock, stat: (path) => nodeFiles.stat(path) },
        catchUp: async () => (await watcher)?.catchUp() ?? false,
      },
      (missed, untilNs) => void this.#afterLook(missed, untilNs),
    );
    this.#verifier = this.#store.add(verifier);
    this.changes = {
      take: async () => {
        const watching = await watcher;
        const changed = await watching?.take();
        verifier.begin();
        // Whatever happens in these is not told, and is looked at each time.
        verifier.tell(watching?.deepFolders ?? []);
        return changed;
      },
      forget: () => void watcher.then((each) => each?.forget()),
    };
    void watcher.then((each) => {
      if (each) this.#store.add(each.onDidChange((paths) => verifier.tell(paths)));
    });
  }

  /** A snapshot that began at that time looked only where something was said to have changed. */
  onDidTrust(taken: TakenSnapshot, startedNs: bigint): void {
    this.#verifier.note(taken, startedNs);
  }

  /** @param trustingSinceNs when it began, if it looked only where something was said to have changed */
  onDidTake(line: SnapshotLine, trustingSinceNs?: bigint): void {
    if (trustingSinceNs !== undefined) this.#unproven.add(line, trustingSinceNs);
    if (line.trigger === 'end' && line.files.state === 'kept') this.#endRef = line.files.ref;
  }

  /** Only the last snapshot proves anything from now on. */
  stop(): void {
    this.#verifier.stop();
  }

  /** The last snapshot proves those before it, and what it does not prove stays unproven. */
  async finish(): Promise<void> {
    if (this.#unproven.isEmpty) return;
    if (this.#endRef !== undefined) await this.#verifier.proveBy(this.#endRef);
    await this.#say(this.#unproven.giveUp());
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * A watcher that missed a change is not believed any more. The snapshots that believed it since the look before say that they
   * may lack it, and a new one has it.
   */
  async #afterLook(missed: readonly string[], untilNs: bigint): Promise<void> {
    const said = this.#say(this.#unproven.prove(untilNs, missed));
    if (missed.length > 0) {
      (await this.#parts.watcher)?.distrust();
      this.#parts.onDidMiss();
    }
    await said;
  }

  /** A disk that does not take it leaves them unproven. */
  async #say(lines: readonly SnapshotLine[]): Promise<void> {
    if (lines.length > 0) await this.#parts.append(lines).catch(() => {});
  }
}
