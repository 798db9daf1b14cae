import path from 'node:path';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Keyframe } from '../../terminal/keyframe.ts';
import type { KeyframeEntry } from '../../terminal/keyframeFile.ts';
import {
  KeyframeIndex,
  MemoryKeyframes,
  type KeyframeLookup,
} from '../../terminal/keyframeStore.ts';
import { FileSource } from '../files/fileSource.ts';

/** A running session adds a keyframe every few seconds at most. */
const REREAD_MS = 2000;

/** The keyframes beside a recording, as they come; and those made here, where there are none beside it. */
export class SessionKeyframes implements KeyframeLookup, Disposable {
  readonly #file: string;
  readonly #fingerprint: bigint;
  readonly made = new MemoryKeyframes();
  #source: FileSource | undefined;
  #index: KeyframeIndex | undefined;
  #readAt = -Infinity;
  #isDisposed = false;

  constructor(recording: string, fingerprint: bigint) {
    this.#file = path.join(path.dirname(recording), 'session.keyframes');
    this.#fingerprint = fingerprint;
  }

  /** Output up to which a keyframe is there. */
  get reach(): number {
    return this.#index?.entries.at(-1)?.byteOffset ?? 0;
  }

  /** Looks for keyframes that were added; not every time. A cache that is missing or damaged is as good as none. */
  async refresh(): Promise<void> {
    if (this.#isDisposed || performance.now() - this.#readAt < REREAD_MS) return;
    this.#readAt = performance.now();
    try {
      this.#source ??= await FileSource.open(this.#file);
      this.#index = await KeyframeIndex.open(this.#source, this.#fingerprint);
    } catch {
      this.#index = undefined;
    }
    if (this.#isDisposed) this.dispose();
  }

  async last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined> {
    const kept = await this.#index?.last(isUsable).catch(() => undefined);
    const made = await this.made.last(isUsable);
    return kept && made && made.recordIndex > kept.recordIndex ? made : (kept ?? made);
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#source?.close().catch(() => {});
    this.#source = undefined;
  }
}
