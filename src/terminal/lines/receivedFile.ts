import { UserError } from '../../base/errors.ts';
import type { FollowedSource, ReadFailure } from './recordingContent.ts';

/** A file that another thread reads. After each change, that thread sends the whole content. */
export class ReceivedFile implements FollowedSource {
  #bytes: Uint8Array = new Uint8Array(0);
  #failure: ReadFailure | undefined;

  receive(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#failure = undefined;
  }

  fail(failure: ReadFailure): void {
    this.#failure = failure;
  }

  follow(): Promise<void> {
    if (!this.#failure) return Promise.resolve();
    return Promise.reject(new UserError(this.#failure.code, this.#failure.message));
  }

  size(): Promise<number> {
    return Promise.resolve(this.#bytes.length);
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return Promise.resolve(this.#bytes.subarray(offset, offset + length));
  }

  dispose(): void {
    this.#bytes = new Uint8Array(0);
  }
}
