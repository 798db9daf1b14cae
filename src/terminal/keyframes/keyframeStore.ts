import type { ByteSink, ByteSource } from '../../recording/format/ports.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { WindowedSource } from '../../recording/read/windowedSource.ts';
import { crc32 } from './checksum.ts';
import type { Keyframe } from './keyframe.ts';
import {
  ENTRY_HEADER_LENGTH,
  FILE_HEADER_LENGTH,
  decodeEntryBody,
  decodeEntryHeader,
  encodeEntry,
  encodeFileHeader,
  isFileHeader,
  type KeyframeEntry,
} from './keyframeFile.ts';
import type { TerminalSize } from '../screen/screenTypes.ts';

/** What {@link frameAt} needs of keyframes. */
export interface KeyframeLookup {
  /** The last keyframe that satisfies `isUsable`, which holds for all keyframes up to some point in time. */
  last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined>;
}

/**
 * Tells recordings apart by how they begin: the size of the terminal and the first record, with its time in nanoseconds.
 * It stays while a recording grows and when its blocks are packed anew.
 */
export function recordingFingerprint(size: TerminalSize, first: AhrRecord | undefined): bigint {
  const place = `${size.cols}x${size.rows} ${first?.kind} ${first?.tsNs}`;
  const bytes = first?.kind === 'data' || first?.kind === 'input' ? first.bytes : new Uint8Array(0);
  const high = crc32(new TextEncoder().encode(place));
  return (BigInt(high) << 32n) | BigInt(crc32(bytes));
}

/** The keyframes in a file, known by their headers; states are read when asked for. */
export class KeyframeIndex implements KeyframeLookup {
  readonly #source: ByteSource;
  readonly #fingerprint: bigint;
  readonly #entries: KeyframeEntry[] = [];
  #goodLength = FILE_HEADER_LENGTH;

  private constructor(source: ByteSource, fingerprint: bigint) {
    this.#source = source;
    this.#fingerprint = fingerprint;
  }

  /** Nothing when the file belongs to another recording or another version, or is no such file: then make a new one. */
  static async open(source: ByteSource, fingerprint: bigint): Promise<KeyframeIndex | undefined> {
    const index = new KeyframeIndex(source, fingerprint);
    return (await index.extend()) ? index : undefined;
  }

  get entries(): readonly KeyframeEntry[] {
    return this.#entries;
  }

  /** Bytes of the file that are whole entries: to go on, truncate to it. */
  get goodLength(): number {
    return this.#goodLength;
  }

  /** Takes in what was appended since, and reads nothing else. @returns whether the file is still such a file, and no shorter */
  async extend(): Promise<boolean> {
    const size = await this.#source.size();
    const header = await this.#source.read(0, FILE_HEADER_LENGTH);
    if (size < this.#goodLength || !isFileHeader(header, this.#fingerprint)) return false;
    const window = new WindowedSource(this.#source, size);
    while (this.#goodLength + ENTRY_HEADER_LENGTH <= size) {
      const offset = this.#goodLength;
      const entry = decodeEntryHeader(await window.read(offset, ENTRY_HEADER_LENGTH), offset);
      const end = entry && entry.fileOffset + entry.bodyLength;
      if (!end || end > size || !follows(entry, this.#entries.at(-1))) break;
      this.#entries.push(entry);
      this.#goodLength = end;
    }
    return true;
  }

  /** Nothing when the entry is damaged. */
  async load(entry: KeyframeEntry): Promise<Keyframe | undefined> {
    return decodeEntryBody(entry, await this.#source.read(entry.fileOffset, entry.bodyLength));
  }

  async last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined> {
    for (let index = countWhile(this.entries, isUsable) - 1; index >= 0; index--) {
      const keyframe = await this.load(this.entries[index]!);
      if (keyframe) return keyframe;
    }
    return undefined;
  }
}

function follows(entry: KeyframeEntry, before: KeyframeEntry | undefined): boolean {
  return (
    !before || (entry.recordIndex > before.recordIndex && entry.byteOffset >= before.byteOffset)
  );
}

/** Appends keyframes to a file. */
export class KeyframeWriter {
  readonly #sink: ByteSink;

  private constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** Starts a file, whatever it held. */
  static async create(sink: ByteSink, fingerprint: bigint): Promise<KeyframeWriter> {
    await sink.truncate(0);
    await sink.append(encodeFileHeader(fingerprint));
    return new KeyframeWriter(sink);
  }

  /** Goes on behind the last whole entry of a file that was read. */
  static async resume(sink: ByteSink, index: KeyframeIndex): Promise<KeyframeWriter> {
    await sink.truncate(index.goodLength);
    return new KeyframeWriter(sink);
  }

  async append(keyframe: Keyframe): Promise<void> {
    await this.#sink.append(encodeEntry(keyframe));
  }
}

/** Keyframes in memory, for a recording that is being played or made. */
export class MemoryKeyframes implements KeyframeLookup {
  readonly #keyframes: Keyframe[] = [];

  get length(): number {
    return this.#keyframes.length;
  }

  append(keyframe: Keyframe): void {
    this.#keyframes.push(keyframe);
  }

  /** Output up to which there is one. */
  get reach(): number {
    return this.#keyframes.at(-1)?.byteOffset ?? 0;
  }

  last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined> {
    const count = countWhile(this.#keyframes, ({ size, ...rest }) =>
      isUsable({ ...rest, ...size, fileOffset: 0, bodyLength: 0, bodyCrc: 0 }),
    );
    return Promise.resolve(this.#keyframes[count - 1]);
  }
}

/** How many of the first satisfy a condition that none after them does. */
function countWhile<T>(items: readonly T[], isIncluded: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isIncluded(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
