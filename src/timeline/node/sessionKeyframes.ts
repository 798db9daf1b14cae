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

/** Keyframes that the recorder writes beside a recording, and those computed here. */
export class SessionKeyframes implements KeyframeLookup, Disposable {
  readonly #file: string;
  readonly #fingerprint: bigint;
  readonly #computed = new MemoryKeyframes();
  #source: FileSource | undefined;
  #index: KeyframeIndex | undefined;
  #isDisposed = false;

  constructor(recording: string, fingerprint: bigint) {
    this.#file = path.join(path.dirname(recording), 'session.keyframes');
    this.#fingerprint = fingerprint;
  }

  /** Byte offset of the last keyframe. */
  get reach(): number {
    return Math.max(this.#computed.reach, this.#index?.entries.at(-1)?.byteOffset ?? 0);
  }

  /** Reads new keyframes. A missing or damaged file counts as empty: it is only a cache. */
  async refresh(): Promise<void> {
    if (this.#isDisposed) return;
    try {
      this.#source ??= await FileSource.open(this.#file);
      if (!(await this.#index?.extend())) {
        this.#index = await KeyframeIndex.open(this.#source, this.#fingerprint);
      }
    } catch {
      // The file is only a cache.
      this.#index = undefined;
    }
    if (this.#isDisposed) this.dispose();
  }

  /** Adds a computed keyframe. @returns false if there are keyframes that reach further */
  add(keyframe: Keyframe): boolean {
    const isNew = keyframe.byteOffset > this.reach;
    if (isNew) this.#computed.append(keyframe);
    return isNew;
  }

  async last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined> {
    // The file is only a cache.
    const kept = await this.#index?.last(isUsable).catch(() => undefined);
    const computed = await this.#computed.last(isUsable);
    return kept && computed && computed.recordIndex > kept.recordIndex
      ? computed
      : (kept ?? computed);
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#source?.close().catch(() => {}); // Harmless: the file was only read.
    this.#source = undefined;
  }
}
