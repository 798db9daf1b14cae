import { MutableDisposable, type Disposable } from '../../base/lifecycle.ts';
import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../../base/clock.ts';
import type { FileStat } from '../../snapshots/common/ports.ts';
import {
  WORKSPACE_NOW,
  type SnapshotProvider,
  type TakenSnapshot,
} from '../../snapshots/common/provider.ts';
import { findMissed, type Comparison, type PartialSnapshot } from './missedChanges.ts';
import { WatcherLog } from './watcherLog.ts';

/** Looking everywhere costs time that the agent may need: not more often than this, and a fiftieth of the time at most. */
const PAUSE_MS = 10_000;
const SHARE = 50;
/** The clock follows steps that are larger than this. */
const STEP_MS = 1000;
/** A busy machine may be late with its events a few times; at the end nobody waits for it. */
const LAST_ATTEMPTS = 10;
const LAST_LOOK_MS = 60_000;

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
  #coming: WatcherLog;
  #last: (PartialSnapshot & { readonly notedMs: number; readonly notedNs: bigint }) | undefined;
  #compared: PartialSnapshot | undefined;
  #pauseMs = PAUSE_MS;

  constructor(parts: SnapshotVerifierParts, onDidVerify: OnDidVerify) {
    this.#parts = parts;
    this.#onDidVerify = onDidVerify;
    this.#coming = new WatcherLog(parts.clock);
  }

  /** A snapshot begins, with all that was told so far. */
  begin(): void {
    this.#coming = new WatcherLog(this.#parts.clock);
  }

  /** @param paths that the watcher tells of, relative to the workspace; nothing when it does not know */
  tell(paths: readonly string[] | undefined): void {
    const listening = [this.#coming, this.#last?.told, this.#compared?.told];
    for (const told of new Set(listening)) told?.add(paths);
  }

  /** The snapshot that began last looked only where the watcher said. */
  note({ ref, omissions }: Pick<TakenSnapshot, 'ref' | 'omissions'>, startedNs: bigint): void {
    const [pauseMs, setNs] = [this.#pauseMs, this.#parts.clock.nowNs()];
    const noted = { notedMs: performance.now(), notedNs: setNs };
    this.#last = { ref, omissions, startedNs, told: this.#coming, ...noted };
    if (this.#timer.value) return;
    this.#timer.value = this.#parts.clock.schedule(pauseMs, () => {
      const passedMs = Number((this.#parts.clock.nowNs() - setNs) / NANOSECONDS_PER_MILLISECOND);
      void this.#run(passedMs > pauseMs - STEP_MS);
    });
  }

  /** Looks no more; a look that is under way comes to nothing. What is told still counts for {@link proveBy}. */
  stop(): void {
    this.#stop.abort();
    this.#timer.dispose();
  }

  /** At the end: proves the last one by a snapshot after it that looked everywhere, as far as that can tell. */
  async proveBy(ref: string): Promise<void> {
    const snapshot = this.#last;
    if (!snapshot) return;
    const { clock, provider } = this.#parts;
    const passedMs = Number((clock.nowNs() - snapshot.notedNs) / NANOSECONDS_PER_MILLISECOND);
    const hasTimes = passedMs > performance.now() - snapshot.notedMs - STEP_MS;
    try {
      const signal = AbortSignal.timeout(LAST_LOOK_MS);
      const changes = await (await provider).diff(snapshot.ref, ref, signal);
      let isTold = false;
      for (let attempt = 0; changes.length > 0 && !isTold && attempt < LAST_ATTEMPTS; attempt++)
        isTold = await this.#parts.catchUp();
      const missed = await this.#judge(snapshot, { changes, isTold, hasTimes });
      if (missed) this.#onDidVerify(missed, snapshot.startedNs);
    } catch {
      // One of them was removed, or the disk is in trouble: it stays unproven.
    }
  }

  dispose(): void {
    this.stop();
    this.#last = undefined;
  }

  /** What was missed; nothing when that cannot be told. */
  async #judge(
    snapshot: PartialSnapshot,
    comparison: Comparison,
  ): Promise<readonly string[] | undefined> {
    const { workspace } = await this.#parts.provider;
    const { missed, isUnsure } = await findMissed(snapshot, comparison, (path) =>
      this.#parts.stat(path === '' ? workspace : `${workspace}/${path}`),
    );
    return missed.length > 0 || !isUnsure ? missed : undefined;
  }

  async #run(hasTimes: boolean): Promise<void> {
    const snapshot = this.#last;
    this.#timer.clear();
    if (!snapshot) return;
    const beganNs = this.#parts.clock.nowNs();
    this.#compared = snapshot;
    try {
      const comparison = { ...(await this.#compare(snapshot.ref)), hasTimes };
      // What was not proven is proven, or not, together with the next.
      const missed = await this.#judge(snapshot, comparison);
      if (missed && !this.#stop.signal.aborted) this.#onDidVerify(missed, snapshot.startedNs);
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
