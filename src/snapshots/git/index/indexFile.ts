const SIGNATURE = 0x44495243; // DIRC
const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const MODE_AT = 24;
const MAX_PATH_BYTES = 1 << 16;

/** An extension of an index: a name of four letters, and its content. */
export interface IndexExtension {
  readonly name: string;
  /** The extension, including its header. */
  readonly bytes: Uint8Array;
}

/** Reads a git index, versions 2 to 4. See https://git-scm.com/docs/index-format. */
export class IndexCursor {
  /** The offset of the entry, which starts with the file's stat data. */
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #oidBytes: number;
  readonly #version: number;
  readonly #end: number;
  readonly #name = new Uint8Array(MAX_PATH_BYTES);
  #nameLength = 0;
  #left: number;
  #next = HEADER_BYTES;

  private constructor(bytes: Uint8Array, view: DataView, oidBytes: number) {
    this.#bytes = bytes;
    this.#view = view;
    this.#oidBytes = oidBytes;
    this.#version = view.getUint32(4);
    this.#left = view.getUint32(8);
    this.#end = bytes.length - oidBytes;
  }

  /** Returns undefined if the bytes are not an index, or an index of a later version. */
  static open(bytes: Uint8Array, oidBytes: number): IndexCursor | undefined {
    if (bytes.length < HEADER_BYTES + oidBytes) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const version = view.getUint32(4);
    if (view.getUint32(0) !== SIGNATURE || version < 2 || version > 4) return undefined;
    return new IndexCursor(bytes, view, oidBytes);
  }

  /**
   * Moves to the next entry.
   * @returns whether there is one
   * @throws RangeError for a damaged index
   */
  next(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.at = this.#next;
    const flagsAt = this.at + STAT_BYTES + this.#oidBytes;
    if (flagsAt + 2 > this.#end) throw new RangeError('The index ends within an entry.');
    this.#next = this.#readPath(flagsAt + (this.#hasMoreFlags ? 4 : 2));
    return true;
  }

  /** The path as bytes, which {@link next} overwrites. */
  get path(): Uint8Array {
    return this.#name.subarray(0, this.#nameLength);
  }

  /**
   * Compares paths byte by byte, as git sorts them: negative if this path comes before the prefix
   * followed by the other path.
   */
  compareTo(prefix: Uint8Array, other: IndexCursor): number {
    const length = prefix.length + other.#nameLength;
    const shared = Math.min(this.#nameLength, length);
    // The `!`s: both names have at least as many bytes as they share.
    for (let at = 0; at < shared; at += 1) {
      const byte = at < prefix.length ? prefix[at]! : other.#name[at - prefix.length]!;
      const difference = this.#name[at]! - byte;
      if (difference !== 0) return difference;
    }
    return this.#nameLength - length;
  }

  get mode(): number {
    return this.#view.getUint32(this.at + MODE_AT);
  }

  /** The stage of the entry: 0 unless there is a conflict. */
  get stage(): number {
    return (this.#flags >> 12) & 3;
  }

  /** Whether the entry has the flag skip-worktree or intent-to-add. */
  get isPlaceholder(): boolean {
    if (!this.#hasMoreFlags) return false;
    return (this.#view.getUint16(this.at + STAT_BYTES + this.#oidBytes + 2) & 0x6000) !== 0;
  }

  hasSameObject(other: IndexCursor): boolean {
    const own = this.at + STAT_BYTES;
    const others = other.at + STAT_BYTES;
    for (let byte = 0; byte < this.#oidBytes; byte += 1) {
      if (this.#bytes[own + byte] !== other.#bytes[others + byte]) return false;
    }
    return true;
  }

  /** Copies the file's stat data from the other entry, in place. */
  copyStat(other: IndexCursor): void {
    for (let byte = 0; byte < STAT_BYTES; byte += 1) {
      if (byte >= MODE_AT && byte < MODE_AT + 4) continue;
      // `!`: next() has checked that the whole entry is there.
      this.#bytes[this.at + byte] = other.#bytes[other.at + byte]!;
    }
  }

  /** Clears the file's stat data, in place. */
  clearStat(): void {
    this.#bytes.fill(0, this.at, this.at + MODE_AT);
    this.#bytes.fill(0, this.at + MODE_AT + 4, this.at + STAT_BYTES);
  }

  /** The offset after the last entry. */
  get end(): number {
    return this.#next;
  }

  /** Returns the extensions; call after the last entry. @throws RangeError for a damaged index */
  extensions(): IndexExtension[] {
    const found: IndexExtension[] = [];
    for (let at = this.#next; at < this.#end;) {
      const length = at + 8 <= this.#end ? this.#view.getUint32(at + 4) : Infinity;
      if (at + 8 + length > this.#end)
        throw new RangeError('An extension of the index is incomplete.');
      const name = String.fromCharCode(...this.#bytes.subarray(at, at + 4));
      found.push({ name, bytes: this.#bytes.subarray(at, at + 8 + length) });
      at += 8 + length;
    }
    return found;
  }

  get #flags(): number {
    return this.#view.getUint16(this.at + STAT_BYTES + this.#oidBytes);
  }

  get #hasMoreFlags(): boolean {
    return this.#version >= 3 && (this.#flags & 0x4000) !== 0;
  }

  /** @returns the offset of the next entry */
  #readPath(at: number): number {
    let start = at;
    let kept = 0;
    if (this.#version === 4) {
      const { value, next } = this.#readNumber(at);
      kept = this.#nameLength - value;
      start = next;
    }
    if (kept < 0) throw new RangeError('The index has an invalid path.');
    let end = start;
    // A loop is faster than search and copy for tens of thousands of short paths.
    for (let byte = this.#bytes[end]; byte !== 0; byte = this.#bytes[(end += 1)]) {
      const at = kept + end - start;
      if (byte === undefined || end >= this.#end || at >= MAX_PATH_BYTES) {
        throw new RangeError('The index has an invalid path.');
      }
      this.#name[at] = byte;
    }
    this.#nameLength = kept + end - start;
    if (this.#version === 4) return end + 1;
    // Zero bytes follow, at least one: entries are padded to a multiple of eight bytes.
    return this.at + ((end - this.at + 8) & ~7);
  }

  /**
   * Reads a number in the format of offsets in packs: seven bits per byte, high bits first, plus
   * one for each further byte.
   */
  #readNumber(at: number): { value: number; next: number } {
    let next = at;
    let byte = this.#bytes[next++] ?? 0;
    let value = byte & 0x7f;
    while (byte & 0x80 && next < this.#end) {
      byte = this.#bytes[next++] ?? 0;
      value = ((value + 1) << 7) | (byte & 0x7f);
    }
    return { value, next };
  }
}
