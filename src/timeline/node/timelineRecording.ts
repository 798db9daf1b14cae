import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ProblemKind } from '../../recording/format/problem.ts';
import { PauseFinder, type Pause } from '../../recording/read/pauses.ts';
import { RecordingReader, type RefreshResult } from '../../recording/read/reader.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { Moment } from '../common/moments/moment.ts';
import { RecordedMoments } from '../common/moments/recordedMoments.ts';
import { RecordIndex } from '../common/recordIndex.ts';
import { TimelineFrames } from '../common/playback/timelineFrames.ts';
import { DEFAULT_TERMINAL_SIZE } from '../../terminal/screen/defaultSize.ts';
import { recordingFingerprint } from '../../terminal/keyframes/keyframeStore.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import { FollowedFile } from '../../platform/node/files/followedFile.ts';
import type { SessionMeta } from '../../sessions/node/sessionMeta.ts';
import { sessionOfRecording, unicodeVersionOf } from '../../sessions/node/sessionOfRecording.ts';
import { AlignedRecords } from './alignedRecords.ts';
import { problemText, unreadableText } from './problemText.ts';
import { SessionKeyframes } from './sessionKeyframes.ts';

/**
 * An open recording. It can compute frames right away, and indexes its records as they are read.
 */
export class TimelineRecording implements Disposable {
  readonly #followed: FollowedFile;
  readonly #moments = new RecordedMoments();
  readonly reader: RecordingReader;
  readonly source: AlignedRecords;
  readonly size: TerminalSize;
  readonly unicodeVersion: UnicodeVersion;
  /** The recorded command; empty for a recording that belongs to no session. */
  readonly command: readonly string[];
  readonly frames: TimelineFrames;
  readonly keyframes: SessionKeyframes;
  /** The records read so far. */
  readonly index: RecordIndex;
  readonly moments: Moment[] = [];
  /** The pauses that have ended. */
  readonly pauses: Pause[] = [];
  readonly #pauseFinder = new PauseFinder();
  #scannedByte = 0;
  #isDisposed = false;

  private constructor(followed: FollowedFile, reader: RecordingReader, start: RecordingStart) {
    this.#followed = followed;
    this.reader = reader;
    this.source = new AlignedRecords(reader);
    this.size = start.size;
    this.unicodeVersion = start.unicodeVersion;
    this.command = start.command;
    this.index = new RecordIndex(start.first?.tsNs ?? 0n);
    this.keyframes = start.keyframes;
    const { source, size, unicodeVersion, index, keyframes } = this;
    this.frames = new TimelineFrames({ source, size, unicodeVersion, index, keyframes });
  }

  /**
   * @throws UserError when it can't be opened; with code `empty-recording` when it has no records
   * yet
   */
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
      throw openError(error, file);
    }
  }

  /**
   * Reads appended blocks. If the result is `replaced`, another file is in its place: call
   * `refresh`.
   */
  async extend(): Promise<RefreshResult> {
    if (!(await this.#followed.isCurrent())) return 'replaced';
    const result = await this.reader.extend();
    if (result === 'grown') await this.keyframes.refresh();
    return result;
  }

  /**
   * Reopens the file; needs the write lock. Returns `other` when the file has another recording
   * now.
   */
  async refresh(): Promise<'unchanged' | 'grown' | 'other'> {
    const recordCount = this.reader.recordCount;
    await this.#followed.follow();
    const result = await this.reader.refresh();
    if (result === 'unchanged') return result;
    if (result === 'replaced' && !(await this.#isSameRecording(recordCount))) return 'other';
    await this.keyframes.refresh();
    return 'grown';
  }

  /**
   * Indexes one more block, so that other tasks can run in between.
   * @returns whether there is more
   */
  async scan(): Promise<boolean> {
    const known = this.index.length;
    for await (const records of this.source.blocks({ from: known })) {
      for (const record of records) this.#add(record);
      // Continues after an empty block, which the next call would only read again.
      if (this.index.length > known) break;
    }
    return this.index.length > known && this.index.length < this.reader.recordCount;
  }

  /** Length of the recording, known before all records are indexed. */
  async extent(): Promise<{ endMs: number; totalBytes: number }> {
    const ahead = new RecordIndex(this.index.startNs);
    // The last block may be empty: it then only marks the end.
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

  /** What is wrong with the recording, as far as it has been read; null if nothing is. */
  async problem(): Promise<string | null> {
    const found = [this.reader.problem, this.source.problem].filter((each) => each !== undefined);
    const [first] = found.sort((a, b) => a.fileOffset - b.fileOffset);
    return first ? problemText(first, await this.#followed.size()) : null;
  }

  /** The index; while it is incomplete, an index of the block headers. */
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
    const pause = this.#pauseFinder.after(record);
    if (pause?.toNs !== undefined) this.pauses.push(pause);
  }

  /**
   * Whether the file has the same records in other blocks, as after repacking.
   * @param recordCount number of records before, which may not all be indexed
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
  readonly unicodeVersion: UnicodeVersion;
  readonly command: readonly string[];
  readonly keyframes: SessionKeyframes;
}

async function startOf(
  file: string,
  reader: RecordingReader,
  fileSize: number,
): Promise<RecordingStart> {
  const first = await firstRecord(reader);
  if (!first) {
    if (fileSize === 0) {
      throw new UserError('empty-recording', l10n.t('This recording is still empty.'));
    }
    const kind = reader.problem?.kind ?? (await firstBlockProblem(reader));
    const code = kind === 'truncated' ? 'empty-recording' : 'not-a-recording';
    throw new UserError(code, unreadableText(path.basename(file), kind, fileSize));
  }
  const session = await sessionOfRecording(file);
  const size = sizeAtStart(session, first);
  const unicodeVersion = unicodeVersionOf(session);
  const fingerprint = recordingFingerprint(size, first, unicodeVersion);
  const keyframes = new SessionKeyframes(file, fingerprint);
  return { first, size, unicodeVersion, command: session?.cmd ?? [], keyframes };
}

/** The terminal's size from the first record, else from the session's metadata, else a default. */
function sizeAtStart(session: SessionMeta | undefined, first: AhrRecord): TerminalSize {
  if (first.kind === 'resize' && first.cols > 0 && first.rows > 0) {
    return { cols: first.cols, rows: first.rows };
  }
  return session ? { cols: session.cols, rows: session.rows } : DEFAULT_TERMINAL_SIZE;
}

async function firstRecord(reader: RecordingReader): Promise<AhrRecord | undefined> {
  for await (const record of reader.records({ to: 1 })) return record;
  return undefined;
}

async function firstBlockProblem(reader: RecordingReader): Promise<ProblemKind | undefined> {
  for await (const { problem } of reader.blocksOf({})) if (problem) return problem.kind;
  return undefined;
}

function openError(error: unknown, file: string): unknown {
  if (!(error instanceof UserError)) return error;
  return error.code === 'recording-gone' ? recordingGoneError(file, error) : error;
}

export function recordingGoneError(file: string, cause?: unknown): UserError {
  const text = l10n.t('The recording {0} no longer exists.', path.basename(file));
  return new UserError('recording-gone', text, { cause });
}
