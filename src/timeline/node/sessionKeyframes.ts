import path from 'node:path';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Keyframe } from '../../terminal/keyframes/keyframe.ts';
import type { KeyframeEntry } from '../../terminal/keyframes/keyframeFile.ts';
import {
  KeyframeIndex,
  MemoryKeyframes,
  type KeyframeLookup,
} from '../../terminal/keyframes/keyframeStore.ts';
import { FileSource } from '../../platform/node/files/fileSource.ts';

/** The keyframes beside a recording, as they come; and those made here, where there are none beside it. */
export class SessionKeyframes implements KeyframeLookup, Disposable {
  readonly #file: string;
  readonly #fingerprint: bigint;
  readonly #made = new MemoryKeyframes();
  #source: FileSource | undefined;
  #index: KeyframeIndex | undefined;
  #isDisposed = false;

  constructor(recording: string, fingerprint: bigint) {
    this.#file = path.join(path.dirname(recording), 'session.keyframes');
    this.#fingerprint = fingerprint;
  }

  /** Output up to which a keyframe is there. */
  get reach(): number {
    return Math.max(this.#made.reach, this.#index?.entries.at(-1)?.byteOffset ?? 0);
  }

  /** Looks for keyframes that were added. A cache that is missing or damaged is as good as none. */
  async refresh(): Promise<void> {
    if (this.#isDisposed) return;
    try {
      this.#source ??= await FileSource.open(this.#file);
      if (!(await this.#index?.extend())) {
        this.#index = await KeyframeIndex.open(this.#source, this.#fingerprint);
      }
    } catch {
      this.#index = undefined;
    }
    if (this.#isDisposed) this.dispose();
  }

  /** Keeps one that was made here, unless there are some that reach as far. @returns whether it did */
  add(keyframe: Keyframe): boolean {
    const isNew = keyframe.byteOffset > this.reach;
    if (isNew) this.#made.append(keyframe);
    return isNew;
  }

  async last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined> {
    const kept = await this.#index?.last(isUsable).catch(() => undefined);
    const made = await this.#made.last(isUsable);
    return kept && made && made.recordIndex > kept.recordIndex ? made : (kept ?? made);
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#source?.close().catch(() => {});
    this.#source = undefined;
  }
}
