export function areEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0;
}

/** Orders by the first different byte, then by length. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}

/** Reads untrusted little-endian data; returns `undefined` instead of reading beyond the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.#position;
  }

  get remaining(): number {
    return this.#bytes.length - this.#position;
  }

  u8(): number | undefined {
    return this.#take(1, (at) => this.#view.getUint8(at));
  }

  u16(): number | undefined {
    return this.#take(2, (at) => this.#view.getUint16(at, true));
  }

  u32(): number | undefined {
    return this.#take(4, (at) => this.#view.getUint32(at, true));
  }

  u64(): bigint | undefined {
    return this.#take(8, (at) => this.#view.getBigUint64(at, true));
  }

  /** Returns a view of the bytes, not a copy. */
  bytes(length: number): Uint8Array | undefined {
    return this.#take(length, (at) => this.#bytes.subarray(at, at + length));
  }

  #take<T>(length: number, read: (at: number) => T): T | undefined {
    if (length > this.remaining) return undefined;
    const value = read(this.#position);
    this.#position += length;
    return value;
  }
}

/** Writes little-endian data to a growing buffer; can be cleared and used again. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    const at = this.#reserve(1);
    this.#view.setUint8(at, value);
    return this;
  }

  u16(value: number): this {
    const at = this.#reserve(2);
    this.#view.setUint16(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  u64(value: bigint | number): this {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, BigInt(value), true);
    return this;
  }

  bytes(value: Uint8Array): this {
    const at = this.#reserve(value.length);
    this.#bytes.set(value, at);
    return this;
  }

  zeros(length: number): this {
    const at = this.#reserve(length);
    this.#bytes.fill(0, at, at + length);
    return this;
  }

  /** Copies the written bytes. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Call this before using `#bytes` and `#view`, which it may replace by larger ones. */
  #reserve(length: number): number {
    const at = this.#length;
    const needed = at + length;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#length = needed;
    return at;
  }
}
