import { MutableDisposable, type Disposable } from '../base/lifecycle.ts';
import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../base/clock.ts';
import type { FileStat } from '../snapshots/ports.ts';
import { WORKSPACE_NOW, type SnapshotProvider, type TakenSnapshot } from '../snapshots/provider.ts';
import { findMissed, type Comparison, type PartialSnapshot } from './missedChanges.ts';
import { ToldChanges } from './toldChanges.ts';

/** Looking everywhere costs time that the agent may need: not more often than this, and a fiftieth of the time at most. */
const PAUSE_MS = 10_000;
const SHARE = 50;
/** The clock follows steps that are larger than this. */
const STEP_MS = 1000;

export interface SnapshotVerifierParts {
  readonly provider: Promise<SnapshotProvider>;
  readonly clock: Clock;
  stat(path: string): Promise<FileStat>;
  /** Waits until all changes so far have been told; false when that is not certain. */
  catchUp(): Promise<boolean>;
}

/**
 * Told after each look that could tell: the files of which the watcher missed a change, mostly none. It holds for the snapshots
 * that began until then.
 */
export type OnDidVerify = (missed: readonly string[], untilNs: bigint) => void;

/**
 * Proves snapshots that looked only where the watcher said. Some time after the last of them the whole workspace is compared:
 * a file that differs and that the watcher did not tell of since was missed.
 */
export class SnapshotVerifier implements Disposable {
  readonly #parts: SnapshotVerifierParts;
  readonly #onDidVerify: OnDidVerify;
  readonly #timer = new MutableDisposable<Disposable>();
  readonly #stop = new AbortController();
  #coming: ToldChanges;
  #last: PartialSnapshot | undefined;
  #compared: PartialSnapshot | undefined;
  #pauseMs = PAUSE_MS;

  constructor(parts: SnapshotVerifierParts, onDidVerify: OnDidVerify) {
    this.#parts = parts;
    this.#onDidVerify = onDidVerify;
    this.#coming = new ToldChanges(parts.clock);
  }

  /** A snapshot begins, with all that was told so far. */
  begin(): void {
    this.#coming = new ToldChanges(this.#parts.clock);
  }

  /** @param paths that the watcher tells of, relative to the workspace; nothing when it does not know */
  tell(paths: readonly string[] | undefined): void {
    const listening = [this.#coming, this.#last?.told, this.#compared?.told];
    for (const told of new Set(listening)) told?.add(paths);
  }

  /** The snapshot that began last looked only where the watcher said. */
  note({ ref, omissions }: Pick<TakenSnapshot, 'ref' | 'omissions'>, startedNs: bigint): void {
    this.#last = { ref, omissions, startedNs, told: this.#coming };
    if (this.#timer.value) return;
    const [pauseMs, setNs] = [this.#pauseMs, this.#parts.clock.nowNs()];
    this.#timer.value = this.#parts.clock.schedule(pauseMs, () => {
      const passedMs = Number((this.#parts.clock.nowNs() - setNs) / NANOSECONDS_PER_MILLISECOND);
      void this.#run(passedMs > pauseMs - STEP_MS);
    });
  }

  dispose(): void {
    this.#stop.abort();
    this.#timer.dispose();
    this.#last = undefined;
  }

  async #run(hasTimes: boolean): Promise<void> {
    const snapshot = this.#last;
    this.#timer.clear();
    if (!snapshot) return;
    const beganNs = this.#parts.clock.nowNs();
    this.#compared = snapshot;
    try {
      const { workspace } = await this.#parts.provider;
      const comparison = { ...(await this.#compare(snapshot.ref)), hasTimes };
      const { missed, isUnsure } = await findMissed(snapshot, comparison, (path) =>
        this.#parts.stat(path === '' ? workspace : `${workspace}/${path}`),
      );
      // What was not proven is proven, or not, together with the next.
      const isAnswer = missed.length > 0 || !isUnsure;
      if (isAnswer && !this.#stop.signal.aborted) this.#onDidVerify(missed, snapshot.startedNs);
    } catch {
      // It was removed meanwhile, or the disk is in trouble: the next one is looked at again.
    }
    this.#compared = undefined;
    const tookMs = Number((this.#parts.clock.nowNs() - beganNs) / NANOSECONDS_PER_MILLISECOND);
    this.#pauseMs = Math.max(PAUSE_MS, tookMs * SHARE);
  }

  async #compare(ref: string): Promise<Omit<Comparison, 'hasTimes'>> {
    const provider = await this.#parts.provider;
    const changes = await provider.diff(ref, WORKSPACE_NOW, this.#stop.signal);
    return { changes, isTold: changes.length > 0 && (await this.#parts.catchUp()) };
  }
}
