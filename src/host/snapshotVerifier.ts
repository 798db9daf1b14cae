import { MutableDisposable, type Disposable } from '../base/lifecycle.ts';
import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../base/clock.ts';
import type { FileStat } from '../snapshots/ports.ts';
import { WORKSPACE_NOW, type FileChange, type SnapshotProvider } from '../snapshots/provider.ts';

/** Looking everywhere costs time that the agent may need: not more often than this, and a fiftieth of the time at most. */
const PAUSE_MS = 10_000;
const SHARE = 50;
/** File systems keep times in ticks of up to 10 ms. */
const TICK_NS = 20n * NANOSECONDS_PER_MILLISECOND;

export interface SnapshotVerifierParts {
  readonly provider: Promise<SnapshotProvider>;
  readonly workspace: string;
  readonly clock: Clock;
  stat(path: string): Promise<FileStat>;
}

/** Told after each look: the files that had changed before a snapshot and are not in it as they were. Mostly none. */
export type OnDidVerify = (missed: readonly string[]) => void;

interface Quick {
  readonly ref: string;
  readonly startedNs: bigint;
}

/**
 * Proves snapshots that looked only where the watcher said. Some time after the last of them the whole workspace is compared:
 * a file that differs and was not touched since the snapshot began was missed.
 */
export class SnapshotVerifier implements Disposable {
  readonly #parts: SnapshotVerifierParts;
  readonly #onDidVerify: OnDidVerify;
  readonly #timer = new MutableDisposable<Disposable>();
  readonly #stop = new AbortController();
  #last: Quick | undefined;
  #pauseMs = PAUSE_MS;

  constructor(parts: SnapshotVerifierParts, onDidVerify: OnDidVerify) {
    this.#parts = parts;
    this.#onDidVerify = onDidVerify;
  }

  /** A snapshot that began at that time looked only where the watcher said. */
  note(ref: string, startedNs: bigint): void {
    this.#last = { ref, startedNs };
    this.#timer.value ??= this.#parts.clock.schedule(this.#pauseMs, () => void this.#run());
  }

  dispose(): void {
    this.#stop.abort();
    this.#timer.dispose();
    this.#last = undefined;
  }

  async #run(): Promise<void> {
    const quick = this.#last;
    this.#timer.clear();
    if (!quick) return;
    const beganNs = this.#parts.clock.nowNs();
    try {
      const provider = await this.#parts.provider;
      const changes = await provider.diff(quick.ref, WORKSPACE_NOW, this.#stop.signal);
      const missed: string[] = [];
      for (const change of changes)
        if (await this.#isOlder(change, quick.startedNs)) missed.push(change.path);
      if (!this.#stop.signal.aborted) this.#onDidVerify(missed);
    } catch {
      // It was removed meanwhile, or the disk is in trouble: the next one is looked at again.
    }
    const tookMs = Number((this.#parts.clock.nowNs() - beganNs) / NANOSECONDS_PER_MILLISECOND);
    this.#pauseMs = Math.max(PAUSE_MS, tookMs * SHARE);
  }

  /** Whether it was like this before the snapshot began. */
  async #isOlder({ path, kind }: FileChange, startedNs: bigint): Promise<boolean> {
    // Removing a file touches the folder it was in.
    const place = kind === 'deleted' ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : path;
    try {
      const { ctimeNs } = await this.#parts.stat(`${this.#parts.workspace}/${place}`);
      return ctimeNs < startedNs - TICK_NS;
    } catch {
      return false; // It goes and comes: not unnoticed.
    }
  }
}
