/**
 * A client that lags by more than this loses the oldest output of the pause, which is in no file.
 */
const MAX_BYTES = 8 * 1024 * 1024;

/** Output of a pause that a client has not received yet. Kept only in memory. */
export class UnrecordedOutput {
  #pieces: { readonly index: number; readonly bytes: Uint8Array }[] = [];
  #length = 0;

  /** @param index index of the first record after this output */
  add(index: number, bytes: Uint8Array): void {
    this.#pieces.push({ index, bytes });
    this.#length += bytes.length;
    while (this.#length > MAX_BYTES) this.take();
  }

  /** Index of the first record after the oldest piece of output; infinite if there is no output. */
  get nextIndex(): number {
    return this.#pieces[0]?.index ?? Infinity;
  }

  take(): Uint8Array {
    const bytes = this.#pieces.shift()?.bytes ?? new Uint8Array();
    this.#length -= bytes.length;
    return bytes;
  }

  clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}
