import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { t } from '../../base/words.ts';
import { RecordingReader, type RefreshResult } from '../../recording/read/reader.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { Moment } from '../common/moment.ts';
import { RecordedMoments } from '../common/recordedMoments.ts';
import { RecordIndex } from '../common/recordIndex.ts';
import { TimelineFrames } from '../common/timelineFrames.ts';
import { DEFAULT_TERMINAL_SIZE } from '../../terminal/screen/defaultSize.ts';
import { recordingFingerprint } from '../../terminal/keyframes/keyframeStore.ts';
import type { TerminalSize } from '../../terminal/screen/screenTypes.ts';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import { FollowedFile } from '../../platform/node/files/followedFile.ts';
import { readSessionMeta } from '../../sessions/node/sessionMeta.ts';
import { AlignedRecords } from './alignedRecords.ts';
import { SessionKeyframes } from './sessionKeyframes.ts';

/** One recording, opened: its frames at once, and an index of all its records as it is read through. */
export class TimelineRecording implements Disposable {
  readonly #followed: FollowedFile;
  readonly #moments = new RecordedMoments();
  readonly reader: RecordingReader;
  readonly source: AlignedRecords;
  readonly size: TerminalSize;
  readonly frames: TimelineFrames;
  readonly keyframes: SessionKeyframes;
  /** Every record, as far as it was read through. */
  readonly index: RecordIndex;
  readonly moments: Moment[] = [];
  #scannedByte = 0;
  #isDisposed = false;

  private constructor(followed: FollowedFile, reader: RecordingReader, start: RecordingStart) {
    this.#followed = followed;
    this.reader = reader;
    this.source = new AlignedRecords(reader);
    this.size = start.size;
    this.index = new RecordIndex(start.first?.tsNs ?? 0n);
    this.keyframes = start.keyframes;
    const { source, size, index, keyframes } = this;
    this.frames = new TimelineFrames({ source, size, index, keyframes });
  }

  /** @throws UserError that says why it cannot be opened; `empty-recording` when nothing has been recorded yet */
  static async open(file: string): Promise<TimelineRecording> {
    const followed = new FollowedFile(file);
    try {
      await followed.follow();
      const reader = await RecordingReader.open(followed, brotliDecompressor);
      const start = await startOf(file, reader, await followed.size());
      await start.keyframes.refresh();
      return new TimelineRecording(followed, reader, start);
    } catch (error) {
      followed.dispose();
      throw explained(error, file);
    }
  }

  /** Takes in what was appended; whoever reads need not wait. `replaced` when the file is not what it was: see {@link refresh} */
  async extend(): Promise<RefreshResult> {
    if (!(await this.#followed.isCurrent())) return 'replaced';
    const result = await this.reader.extend();
    if (result === 'grown') await this.keyframes.refresh();
    return result;
  }

  /** Nobody else may read meanwhile. `other` when the path leads to another recording now. */
  async refresh(): Promise<'unchanged' | 'grown' | 'other'> {
    const recordCount = this.reader.recordCount;
    await this.#followed.follow();
    const result = await this.reader.refresh();
    if (result === 'unchanged') return result;
    if (result === 'replaced' && !(await this.#isSameRecording(recordCount))) return 'other';
    await this.keyframes.refresh();
    return 'grown';
  }

  /** Reads one more block of the records through: others get their turn in between. @returns whether there is more */
  async scan(): Promise<boolean> {
    const known = this.index.length;
    for await (const records of this.source.blocks({ from: known })) {
      for (const record of records) this.#add(record);
      // The last block may hold nothing, and would be read again for ever.
      if (this.index.length > known) break;
    }
    return this.index.length > known && this.index.length < this.reader.recordCount;
  }

  /** How far the recording goes, also before it was read through. */
  async extent(): Promise<{ endMs: number; totalBytes: number }> {
    const ahead = new RecordIndex(this.index.startNs);
    // The last block may have nothing in it but the word that it is the last.
    for (let index = this.reader.blocks.length - 1; index >= 0 && ahead.length === 0; index--) {
      const { block, records } = await this.reader.readBlock(index);
      let byte = block.startByteOffset;
      for (const record of records) {
        if (record.kind === 'data') byte = record.startByteOffset + record.bytes.length;
        ahead.append(record.tsNs, byte);
      }
    }
    return {
      endMs: Math.max(this.index.endMs, ahead.endMs),
      totalBytes: Math.max(this.index.totalBytes, ahead.totalBytes),
    };
  }

  /** The index, or while that is being made what the headers of the blocks tell. */
  roughIndex(): RecordIndex {
    if (this.index.length >= this.reader.recordCount) return this.index;
    const rough = new RecordIndex(this.index.startNs);
    for (const block of this.reader.blocks) rough.append(block.startTsNs, block.startByteOffset);
    return rough;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#followed.dispose();
    this.keyframes.dispose();
  }

  #add(record: AhrRecord): void {
    if (record.kind === 'data') {
      this.#scannedByte = record.startByteOffset + record.bytes.length;
    }
    this.index.append(record.tsNs, this.#scannedByte);
    this.moments.push(...this.#moments.after(record));
  }

  /**
   * Packed anew it has the same records in other blocks.
   * @param recordCount it had before; the index may not have got to all of them
   */
  async #isSameRecording(recordCount: number): Promise<boolean> {
    if (this.reader.recordCount < recordCount) return false;
    const first = await firstRecord(this.reader);
    return first?.tsNs === this.index.startNs;
  }
}

interface RecordingStart {
  readonly first: AhrRecord | undefined;
  readonly size: TerminalSize;
  readonly keyframes: SessionKeyframes;
}

async function startOf(
  file: string,
  reader: RecordingReader,
  fileSize: number,
): Promise<RecordingStart> {
  const first = await firstRecord(reader);
  if (!first) {
    if (fileSize > 0 && reader.problem?.kind !== 'truncated') {
      throw new UserError('not-a-recording', t('{0} is not a recording.', path.basename(file)));
    }
    throw new UserError('empty-recording', t('Nothing has been recorded yet.'));
  }
  const size = await sizeAtStart(file, first);
  return { first, size, keyframes: new SessionKeyframes(file, recordingFingerprint(size, first)) };
}

/** The first record says it, else the session's own notes, else it is a usual one. */
async function sizeAtStart(file: string, first: AhrRecord): Promise<TerminalSize> {
  if (first.kind === 'resize' && first.cols > 0 && first.rows > 0) {
    return { cols: first.cols, rows: first.rows };
  }
  const meta = await readSessionMeta(path.dirname(file)).catch(() => undefined);
  return meta?.recording === file ? { cols: meta.cols, rows: meta.rows } : DEFAULT_TERMINAL_SIZE;
}

async function firstRecord(reader: RecordingReader): Promise<AhrRecord | undefined> {
  for await (const record of reader.records({ to: 1 })) return record;
  return undefined;
}

function explained(error: unknown, file: string): unknown {
  if (!(error instanceof UserError)) return error;
  return error.code === 'recording-gone' ? goneError(file, error) : error;
}

export function goneError(file: string, cause?: unknown): UserError {
  const text = t('The recording {0} is no longer there.', path.basename(file));
  return new UserError('recording-gone', text, { cause });
}
