import type { ByteSink, ByteSource } from '../recording/ports.ts';
import type { AhrRecord } from '../recording/records.ts';
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
import type { TerminalSize } from './screenTypes.ts';

/** How much is read at once while headers are looked for: most bodies are smaller. */
const READ_AHEAD = 64 * 1024;

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
  readonly entries: readonly KeyframeEntry[];
  /** Bytes of the file that are whole entries: to go on, truncate to it. */
  readonly goodLength: number;

  private constructor(source: ByteSource, entries: readonly KeyframeEntry[], goodLength: number) {
    this.#source = source;
    this.entries = entries;
    this.goodLength = goodLength;
  }

  /** Nothing when the file belongs to another recording or another version, or is no such file: then make a new one. */
  static async open(source: ByteSource, fingerprint: bigint): Promise<KeyframeIndex | undefined> {
    const size = await source.size();
    if (!isFileHeader(await source.read(0, FILE_HEADER_LENGTH), fingerprint)) return undefined;
    const entries: KeyframeEntry[] = [];
    let offset = FILE_HEADER_LENGTH;
    let window = new Uint8Array(0);
    let windowOffset = 0;
    while (offset + ENTRY_HEADER_LENGTH <= size) {
      if (offset + ENTRY_HEADER_LENGTH > windowOffset + window.length || offset < windowOffset) {
        window = new Uint8Array(await source.read(offset, READ_AHEAD));
        windowOffset = offset;
      }
      const entry = decodeEntryHeader(window.subarray(offset - windowOffset), offset);
      if (!entry || entry.fileOffset + entry.bodyLength > size || !follows(entry, entries.at(-1)))
        break;
      entries.push(entry);
      offset = entry.fileOffset + entry.bodyLength;
    }
    return new KeyframeIndex(source, entries, offset);
  }

  /** Nothing when the entry is damaged. */
  async load(entry: KeyframeEntry): Promise<Keyframe | undefined> {
    return decodeEntryBody(entry, await this.#source.read(entry.fileOffset, entry.bodyLength));
  }

  async last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined> {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isUsable(this.entries[middle]!)) low = middle + 1;
      else high = middle;
    }
    for (let index = low - 1; index >= 0; index--) {
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

  last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined> {
    const keyframe = this.#keyframes.findLast(({ size, ...rest }) =>
      isUsable({ ...rest, ...size, fileOffset: 0, bodyLength: 0, bodyCrc: 0 }),
    );
    return Promise.resolve(keyframe);
  }
}
