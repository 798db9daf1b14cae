import * as l10n from '@vscode/l10n';
import type { Timers } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { Sequencer } from '../../base/sequencer.ts';
import {
  encodeChunk,
  encodeState,
  type EncodedState,
  type EncodedChunk,
} from '../common/protocol/playbackCodec.ts';
import type { Moment, PageMoment } from '../common/moments/moment.ts';
import { withPauses } from '../common/pausedGaps.ts';
import { millisecondsSince } from '../common/recordIndex.ts';
import type { Payload } from '../../rpc/channel.ts';
import type { Extent, ThreadEvents } from '../common/protocol/timelineProtocol.ts';
import type { SeekTarget, Place } from '../common/playback/playback.ts';
import type { SearchRequest } from '../common/search/searchHits.ts';
import { SystemClock } from '../../platform/node/systemClock.ts';
import { Foreground } from './passes/foreground.ts';
import { KeyframePass } from './passes/keyframePass.ts';
import { SessionMoments } from './moments/sessionMoments.ts';
import { ReadWriteLock } from './passes/readWriteLock.ts';
import { TextPass } from './passes/textPass.ts';
import { recordingGoneError, TimelineRecording } from './timelineRecording.ts';
import { searchTimeline } from './timelineSearch.ts';
import { Transcription } from './transcription.ts';

/** The recorder computes keyframes on another thread, so they may be this late after the output. */
const LATE_MS = 1000;
/** Shorter pauses do not count as idle. */
const IDLE_GAP_MS = 2000;
/** Longer stretches without a keyframe are played in the background, for fast seeking. */
const PASS_BYTES = 2 * 1024 * 1024;

export type Notify = <K extends keyof ThreadEvents>(name: K, body: ThreadEvents[K]) => void;

/** Answers requests about one recording, and keeps up with changes of its file. */
export class TimelineServer {
  readonly #file: string;
  readonly #notify: Notify;
  readonly #patternWorkerFile: string;
  readonly #timers: Timers;
  readonly #lock = new ReadWriteLock();
  readonly #foreground = new Foreground();
  readonly #refreshes = new Sequencer();
  readonly #moments: SessionMoments;
  #recording: TimelineRecording | undefined;
  #pass: TextPass | undefined;
  #keyframePass: KeyframePass | undefined;
  #search: AbortController | undefined;
  #transcription: Transcription | undefined;
  #isTranscribing = false;
  #hasTrouble = false;
  /** Since when keyframes are missing at the end. */
  #missingSince: number | undefined;
  /** The screen at the end, prepared for the first request and kept until the recording changes. */
  #end: Promise<Payload<EncodedState>> | undefined;

  /**
   * @param patternWorkerFile script of the thread in `patternWorker.ts`
   * @param timers time the limit for regular expressions
   */
  constructor(
    file: string,
    notify: Notify,
    patternWorkerFile: string,
    timers: Timers = new SystemClock(),
  ) {
    this.#file = file;
    this.#patternWorkerFile = patternWorkerFile;
    this.#timers = timers;
    this.#notify = notify;
    this.#moments = new SessionMoments(file);
  }

  /** Returns the extent of the recording. The rest arrives as events after {@link refresh}. */
  async open(): Promise<Extent> {
    this.#recording = await TimelineRecording.open(this.#file);
    const extent = await this.#extent(this.#recording);
    // Prepares the screen at the end, since most pages ask for it first.
    this.#end = this.#frame({ end: true });
    this.#end.catch(() => (this.#end = undefined)); // The next request tries again.
    return extent;
  }

  /** Whether the recorder has finished the file. */
  get isFinished(): boolean {
    return this.#recording?.reader.isFinished === true;
  }

  frame(target: SeekTarget): Promise<Payload<EncodedState>> {
    return ('end' in target && this.#end) || this.#frame(target);
  }

  #frame(target: SeekTarget): Promise<Payload<EncodedState>> {
    return this.#read(async (recording) => {
      // Stepping by output needs the complete index.
      if ('stepFrom' in target) while (await recording.scan());
      return encodeState(await recording.frames.frame(target));
    });
  }

  range(after: Place): Promise<Payload<EncodedChunk>> {
    return this.#read(async (recording) => encodeChunk(await recording.frames.range(after)));
  }

  activity(edges: readonly number[]): { counts: number[] } {
    return { counts: this.#recording?.roughIndex().activity(edges) ?? [] };
  }

  async search(params: SearchRequest): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    const recording = this.#opened();
    if (params.text === '') return;
    const pass = this.#startPass(recording);
    await searchTimeline({
      params,
      recording,
      pass,
      signal: search.signal,
      patternWorkerFile: this.#patternWorkerFile,
      timers: this.#timers,
      moments: () => this.#moments.merge(recording.moments, recording.index),
      report: (hits) => this.#notify('hits', hits),
    });
  }

  /** Sends the transcript too, from now on. */
  transcribe(): void {
    this.#isTranscribing = true;
    this.#updateTranscript(this.#opened());
  }

  /** Reads what changed in the file and sends it. Calls run one after another. */
  refresh(): Promise<void> {
    return this.#refreshes.queue(async () => {
      try {
        await this.#readChanges();
        if (this.#hasTrouble) this.#notify('trouble', { message: null });
        this.#hasTrouble = false;
      } catch (error) {
        if (!this.#hasTrouble) this.#notify('trouble', { message: this.#sentence(error) });
        this.#hasTrouble = true;
      }
    });
  }

  dispose(): void {
    this.#search?.abort();
    this.#pass?.dispose();
    this.#keyframePass?.dispose();
    this.#transcription?.dispose();
    this.#recording?.dispose();
  }

  async #readChanges(): Promise<void> {
    const recording = this.#opened();
    const growth = await recording.extend();
    const result =
      growth === 'replaced' ? await this.#lock.write(() => recording.refresh()) : growth;
    if (result !== 'unchanged') this.#end = undefined;
    if (result === 'other') return this.#reopen();
    const haveMoments = await this.#moments.refresh();
    const isFirst = recording.index.length === 0;
    if (result !== 'unchanged' || isFirst || haveMoments) {
      await this.#indexAndSend(recording, isFirst || haveMoments);
    }
    if (!this.#pass) await this.#computeMissingKeyframes(recording);
  }

  async #indexAndSend(recording: TimelineRecording, haveMoments: boolean): Promise<void> {
    const known = recording.moments.length;
    // Indexes block by block, so that requests can run in between.
    do await this.#foreground.whenIdle();
    while (await this.#lock.read(() => recording.scan()));
    if (haveMoments || recording.moments.length !== known) this.#sendMoments(recording);
    this.#notify('extent', await this.#extent(recording));
    if (this.#pass) this.#startPass(recording);
    this.#updateTranscript(recording);
  }

  /** Computes missing keyframes, unless the recorder of a running session is only late. */
  async #computeMissingKeyframes(recording: TimelineRecording): Promise<void> {
    const isMissing = () =>
      recording.keyframes.reach < recording.index.totalBytes - PASS_BYTES && !recording.isDisposed;
    if (isMissing()) await recording.keyframes.refresh();
    const now = performance.now();
    this.#missingSince = isMissing() ? (this.#missingSince ?? now) : undefined;
    if (this.#missingSince === undefined) return;
    if (!this.isFinished && now - this.#missingSince < LATE_MS) return;
    if (!this.#keyframePass || this.#keyframePass.isDisposed) {
      const [lock, foreground] = [this.#lock, this.#foreground];
      const pass = await lock.read(() => KeyframePass.fromLast(recording, lock, foreground));
      if (recording.isDisposed) return pass?.dispose();
      this.#keyframePass = pass;
    }
    if (this.#keyframePass) void this.#keyframePass.run();
    else this.#startPass(recording);
  }

  async #reopen(): Promise<void> {
    const opened = await TimelineRecording.open(this.#file);
    this.dispose();
    this.#pass = undefined;
    this.#keyframePass = undefined;
    this.#transcription = undefined;
    this.#recording = opened;
    this.#notify('replaced', {});
    await this.#readChanges();
  }

  #startPass(recording: TimelineRecording): TextPass {
    this.#pass ??= new TextPass(recording, this.#lock, this.#foreground);
    void this.#pass.run();
    return this.#pass;
  }

  #updateTranscript(recording: TimelineRecording): void {
    if (!this.#isTranscribing) return;
    this.#transcription ??= new Transcription({
      recording,
      lock: this.#lock,
      foreground: this.#foreground,
      moments: () => this.#moments.merge(recording.moments, recording.index),
      send: (body) => this.#notify('transcript', body),
    });
    void this.#transcription.update();
  }

  #read<T>(task: (recording: TimelineRecording) => Promise<T>): Promise<T> {
    return this.#foreground.run(() => this.#lock.read(() => task(this.#opened())));
  }

  #opened(): TimelineRecording {
    if (!this.#recording) throw new UserError('not-open', 'The recording is not open.');
    return this.#recording;
  }

  #sendMoments(recording: TimelineRecording): void {
    const { startNs } = recording.index;
    const moments = this.#moments
      .merge(recording.moments, recording.index)
      .map((moment) => pageMoment(moment, startNs));
    this.#notify('moments', { moments });
  }

  async #extent(recording: TimelineRecording): Promise<Extent> {
    const { index, reader } = recording;
    return {
      startNs: String(index.startNs),
      unicodeVersion: recording.unicodeVersion,
      ...(await recording.extent()),
      recordCount: reader.recordCount,
      isIndexed: index.length >= reader.recordCount,
      isFinished: reader.isFinished,
      problem: await recording.problem(),
      gaps: withPauses(index.gaps(IDLE_GAP_MS), recording.pauses, index.startNs, IDLE_GAP_MS),
    };
  }

  #sentence(error: unknown): string {
    const isGone = error instanceof UserError && error.code === 'recording-gone';
    if (isGone) return recordingGoneError(this.#file).message;
    return error instanceof UserError
      ? error.message
      : l10n.t('Can’t read the recording: {0}', messageOf(error));
  }
}

/** The page lists moments without their full text. */
function pageMoment({ tsNs, ...moment }: Moment, startNs: bigint): PageMoment {
  const timeMs = Math.max(0, millisecondsSince(startNs, tsNs));
  const page: PageMoment & { text?: string } = { ...moment, timeMs };
  delete page.text;
  return page;
}
