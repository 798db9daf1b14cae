import { MutableDisposable, type Disposable } from '../../../base/lifecycle.ts';
import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../../../base/clock.ts';
import { pauseAfterComparison } from '../../common/comparisonPace.ts';
import type { FileStat } from '../../common/ports.ts';
import { WORKSPACE_NOW, type SnapshotProvider, type TakenSnapshot } from '../../common/provider.ts';
import { findMissed, type Comparison, type PartialSnapshot } from './missedChanges.ts';
import { WatcherLog } from '../watch/watcherLog.ts';

/** If two clocks differ by less than this, the system's time was not changed. */
const STEP_MS = 1000;
/** No user waits for the result, so there is time. */
const LEAST_PAUSE_MS = 10_000;
/** Attempts at the session's end, when there is time to wait for late events on a busy machine. */
const LAST_ATTEMPTS = 10;
const LAST_COMPARISON_MS = 60_000;

export interface SnapshotVerifierParts {
  readonly provider: Promise<SnapshotProvider>;
  readonly clock: Clock;
  stat(path: string): Promise<FileStat>;
  /** Waits until the watcher has reported all changes so far; false when that is not certain. */
  catchUp(): Promise<boolean>;
}

/**
 * Called after each conclusive comparison, with the files that the watcher missed: usually none.
 * The result applies to the snapshots that began up to `untilNs`.
 */
export type OnDidVerify = (missed: readonly string[], untilNs: bigint) => void;

type NotedSnapshot = PartialSnapshot & { readonly notedMs: number; readonly notedNs: bigint };

/**
 * Verifies incremental snapshots. Some time after the last one was taken, compares it with the
 * whole workspace: if a file differs that the watcher has not reported since, the watcher has
 * missed a change.
 */
export class SnapshotVerifier implements Disposable {
  readonly #parts: SnapshotVerifierParts;
  readonly #onDidVerify: OnDidVerify;
  readonly #timer = new MutableDisposable<Disposable>();
  readonly #stop = new AbortController();
  #coming: WatcherLog;
  #last: NotedSnapshot | undefined;
  #compared: PartialSnapshot | undefined;
  #pauseMs = LEAST_PAUSE_MS;
  #isPaused = false;
  #run: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;

  constructor(parts: SnapshotVerifierParts, onDidVerify: OnDidVerify) {
    this.#parts = parts;
    this.#onDidVerify = onDidVerify;
    this.#coming = new WatcherLog(parts.clock);
  }

  /** Call when a snapshot begins: it includes all changes reported so far. */
  begin(): void {
    this.#coming = new WatcherLog(this.#parts.clock);
  }

  /** @param paths that the watcher has reported; undefined when any file may have changed */
  tell(paths: readonly string[] | undefined): void {
    const logs = [this.#coming, this.#last?.log, this.#compared?.log];
    for (const log of new Set(logs)) log?.add(paths);
  }

  /** Call when the snapshot that began last was incremental. */
  note({ ref, omissions }: Pick<TakenSnapshot, 'ref' | 'omissions'>, startedNs: bigint): void {
    const [pauseMs, setNs] = [this.#pauseMs, this.#parts.clock.nowNs()];
    const noted = { notedMs: performance.now(), notedNs: setNs };
    this.#last = { ref, omissions, startedNs, log: this.#coming, ...noted };
    if (this.#timer.value) return;
    this.#timer.value = this.#parts.clock.schedule(pauseMs, () => {
      const passedMs = Number((this.#parts.clock.nowNs() - setNs) / NANOSECONDS_PER_MILLISECOND);
      this.#start(passedMs > pauseMs - STEP_MS);
    });
  }

  /**
   * Cancels a running comparison, and returns when it has ended. The next comparison covers the
   * same snapshots.
   */
  async pause(): Promise<void> {
    this.#isPaused = true;
    this.#run?.abort.abort();
    await this.#run?.done;
  }

  resume(): void {
    this.#isPaused = false;
  }

  /**
   * Stops comparisons, including a running one. Reported changes still count for {@link verifyBy}.
   */
  stop(): void {
    this.#stop.abort();
    this.#timer.dispose();
  }

  /** At the session's end: compares the last incremental snapshot with a complete one after it. */
  async verifyBy(ref: string): Promise<void> {
    const snapshot = this.#last;
    if (!snapshot) return;
    const { clock, provider } = this.#parts;
    const passedMs = Number((clock.nowNs() - snapshot.notedNs) / NANOSECONDS_PER_MILLISECOND);
    const hasTimes = passedMs > performance.now() - snapshot.notedMs - STEP_MS;
    try {
      const signal = AbortSignal.timeout(LAST_COMPARISON_MS);
      const changes = await (await provider).diff(snapshot.ref, ref, signal);
      let isCaughtUp = false;
      for (let attempt = 0; changes.length > 0 && !isCaughtUp && attempt < LAST_ATTEMPTS; attempt++)
        isCaughtUp = await this.#parts.catchUp();
      const missed = await this.#missedBy(snapshot, { changes, isCaughtUp, hasTimes });
      if (missed) this.#onDidVerify(missed, snapshot.startedNs);
    } catch {
      // One of the snapshots was removed, or the disk fails: the snapshot stays unverified.
    }
  }

  dispose(): void {
    this.stop();
    this.#last = undefined;
  }

  /** The missed files; undefined when the comparison is not conclusive. */
  async #missedBy(
    snapshot: PartialSnapshot,
    comparison: Comparison,
  ): Promise<readonly string[] | undefined> {
    const { workspace } = await this.#parts.provider;
    const { missed, isUnsure } = await findMissed(snapshot, comparison, (path) =>
      this.#parts.stat(path === '' ? workspace : `${workspace}/${path}`),
    );
    return missed.length > 0 || !isUnsure ? missed : undefined;
  }

  #start(hasTimes: boolean): void {
    const snapshot = this.#last;
    this.#timer.clear();
    if (!snapshot || this.#isPaused) return;
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.#stop.signal]);
    this.#run = { abort, done: this.#verify(snapshot, hasTimes, signal) };
  }

  async #verify(snapshot: NotedSnapshot, hasTimes: boolean, signal: AbortSignal): Promise<void> {
    const beganNs = this.#parts.clock.nowNs();
    this.#compared = snapshot;
    try {
      const comparison = { ...(await this.#compare(snapshot.ref, signal)), hasTimes };
      // After an inconclusive comparison, the next one covers these snapshots as well.
      const missed = await this.#missedBy(snapshot, comparison);
      if (missed && !signal.aborted) this.#onDidVerify(missed, snapshot.startedNs);
    } catch {
      // The snapshot was removed, or the disk fails: the next comparison tries again.
    }
    this.#compared = undefined;
    const tookMs = Number((this.#parts.clock.nowNs() - beganNs) / NANOSECONDS_PER_MILLISECOND);
    this.#pauseMs = pauseAfterComparison(tookMs, LEAST_PAUSE_MS);
  }

  async #compare(ref: string, signal: AbortSignal): Promise<Omit<Comparison, 'hasTimes'>> {
    const provider = await this.#parts.provider;
    const changes = await provider.diff(ref, WORKSPACE_NOW, signal);
    return { changes, isCaughtUp: changes.length > 0 && (await this.#parts.catchUp()) };
  }
}
