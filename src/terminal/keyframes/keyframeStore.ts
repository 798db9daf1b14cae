import { countWhile } from '../../base/binarySearch.ts';
import { DEFAULT_UNICODE_VERSION, type UnicodeVersion } from '../../base/unicodeVersion.ts';
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
import type { TerminalSize } from '../../base/terminalSize.ts';

/** Finds keyframes for {@link frameAt}. */
export interface KeyframeLookup {
  /**
   * Returns the last usable keyframe. `isUsable` must be true for all keyframes up to some moment,
   * and false for those after it.
   */
  last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined>;
}

/**
 * Identifies a recording by the size and the character widths of its terminal, and by its first
 * record with its time. Stays the same when the recording grows or is repacked.
 */
export function recordingFingerprint(
  size: TerminalSize,
  first: AhrRecord | undefined,
  unicodeVersion: UnicodeVersion = DEFAULT_UNICODE_VERSION,
): bigint {
  const place = `${size.cols}x${size.rows} ${first?.kind} ${first?.tsNs} unicode ${unicodeVersion}`;
  const bytes = first?.kind === 'data' || first?.kind === 'input' ? first.bytes : new Uint8Array(0);
  const high = crc32(new TextEncoder().encode(place));
  return (BigInt(high) << 32n) | BigInt(crc32(bytes));
}

/** Lists the keyframes of a file by their headers; reads the states on request. */
export class KeyframeIndex implements KeyframeLookup {
  readonly #source: ByteSource;
  readonly #fingerprint: bigint;
  readonly #entries: KeyframeEntry[] = [];
  #goodLength = FILE_HEADER_LENGTH;

  private constructor(source: ByteSource, fingerprint: bigint) {
    this.#source = source;
    this.#fingerprint = fingerprint;
  }

  /** @returns undefined if the file is invalid or of another recording or version: replace it */
  static async open(source: ByteSource, fingerprint: bigint): Promise<KeyframeIndex | undefined> {
    const index = new KeyframeIndex(source, fingerprint);
    return (await index.extend()) ? index : undefined;
  }

  get entries(): readonly KeyframeEntry[] {
    return this.#entries;
  }

  /** Length of the file up to its last complete entry; truncate to it before appending. */
  get goodLength(): number {
    return this.#goodLength;
  }

  /** Reads appended entries. @returns false if the file was replaced or became shorter */
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

  /** @returns undefined if the entry is damaged */
  async load(entry: KeyframeEntry): Promise<Keyframe | undefined> {
    return decodeEntryBody(entry, await this.#source.read(entry.fileOffset, entry.bodyLength));
  }

  async last(isUsable: (entry: KeyframeEntry) => boolean): Promise<Keyframe | undefined> {
    const usable = this.entries.slice(0, countWhile(this.entries, isUsable));
    for (const entry of usable.reverse()) {
      const keyframe = await this.load(entry);
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

  /** Starts a new file and drops its old content. */
  static async create(sink: ByteSink, fingerprint: bigint): Promise<KeyframeWriter> {
    await sink.truncate(0);
    await sink.append(encodeFileHeader(fingerprint));
    return new KeyframeWriter(sink);
  }

  /** Continues after the last complete entry of a file. */
  static async resume(sink: ByteSink, index: KeyframeIndex): Promise<KeyframeWriter> {
    await sink.truncate(index.goodLength);
    return new KeyframeWriter(sink);
  }

  async append(keyframe: Keyframe): Promise<void> {
    await this.#sink.append(encodeEntry(keyframe));
  }
}

/** Keyframes in memory, for a recording that is being played or recorded. */
export class MemoryKeyframes implements KeyframeLookup {
  readonly #keyframes: Keyframe[] = [];

  get length(): number {
    return this.#keyframes.length;
  }

  append(keyframe: Keyframe): void {
    this.#keyframes.push(keyframe);
  }

  /** Byte offset of the last keyframe. */
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
