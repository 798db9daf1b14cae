import type { Timers } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { t } from '../../base/words.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { encodeRange, encodeState } from '../common/playbackWire.ts';
import type { Moment } from '../common/moment.ts';
import { millisecondsSince } from '../common/recordIndex.ts';
import type { Payload } from '../../rpc/channel.ts';
import type {
  ExtentBody,
  FrameBody,
  FrameParams,
  MomentBody,
  PlaceBody,
  RangeBody,
  SearchParams,
  ThreadEvents,
} from '../common/webviewProtocol.ts';
import { SystemClock } from '../../platform/node/systemClock.ts';
import { Foreground } from './foreground.ts';
import { KeyframePass } from './keyframePass.ts';
import { SessionMoments } from './sessionMoments.ts';
import { SharedGate } from './sharedGate.ts';
import { TextPass } from './textPass.ts';
import { goneError, TimelineRecording } from './timelineRecording.ts';
import { searchTimeline } from './timelineSearch.ts';
import { Transcription } from './transcription.ts';

/** A recorder writes keyframes on a thread of its own, after what they are of. */
const LATE_MS = 1000;
/** Shorter pauses are part of the work. */
const IDLE_GAP_MS = 2000;
/** What is longer than this without a keyframe is played through ahead, so that seeking becomes quick. */
const PASS_BYTES = 2 * 1024 * 1024;

export type Tell = <K extends keyof ThreadEvents>(name: K, body: ThreadEvents[K]) => void;

/** Answers everything about one recording, whatever happens to its file meanwhile. */
export class TimelineServer {
  readonly #file: string;
  readonly #tell: Tell;
  readonly #patternWorkerFile: string;
  readonly #timers: Timers;
  readonly #gate = new SharedGate();
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
  /** There are keyframes missing. */
  #lackingSince: number | undefined;
  /** The last screen, as long as it is the last. */
  #end: Promise<Payload<FrameBody>> | undefined;

  /**
   * @param patternWorkerFile the program of `patternWorker.ts`
   * @param timers end regular expressions that take too long
   */
  constructor(
    file: string,
    tell: Tell,
    patternWorkerFile: string,
    timers: Timers = new SystemClock(),
  ) {
    this.#file = file;
    this.#patternWorkerFile = patternWorkerFile;
    this.#timers = timers;
    this.#tell = tell;
    this.#moments = new SessionMoments(file);
  }

  /** What can be told at once. The rest comes as events, once {@link refresh} has been called. */
  async open(): Promise<ExtentBody> {
    this.#recording = await TimelineRecording.open(this.#file);
    const extent = await this.#extent(this.#recording);
    // Almost everybody looks there first: it is ready before the page is that asks for it.
    this.#end = this.#frame({ end: true });
    this.#end.catch(() => (this.#end = undefined));
    return extent;
  }

  /** Its writer has ended it: nothing more is expected. */
  get isFinished(): boolean {
    return this.#recording?.reader.isFinished === true;
  }

  frame(target: FrameParams): Promise<Payload<FrameBody>> {
    return ('end' in target && this.#end) || this.#frame(target);
  }

  #frame(target: FrameParams): Promise<Payload<FrameBody>> {
    return this.#read(async (recording) => {
      // A step counts outputs: every one of them has to be known.
      if ('stepFrom' in target) while (await recording.scan());
      return encodeState(await recording.frames.frame(target));
    });
  }

  range(after: PlaceBody): Promise<Payload<RangeBody>> {
    return this.#read(async (recording) => encodeRange(await recording.frames.range(after)));
  }

  activity(edges: readonly number[]): { counts: number[] } {
    return { counts: this.#recording?.roughIndex().activity(edges) ?? [] };
  }

  async search(params: SearchParams): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    const recording = this.#opened();
    if (params.text === '') return;
    const pass = this.#startPass(recording);
    await searchTimeline({
      ...{ params, recording, pass, signal: search.signal },
      ...{ patternWorkerFile: this.#patternWorkerFile, timers: this.#timers },
      moments: () => this.#moments.merge(recording.moments, recording.index),
      report: (hits) => this.#tell('hits', hits),
    });
  }

  /** From now on tells the session as text, too. */
  transcribe(): void {
    this.#isTranscribing = true;
    this.#goOnTranscribing(this.#opened());
  }

  /** Looks what has become of the file, and tells. One after the other. */
  refresh(): Promise<void> {
    return this.#refreshes.queue(async () => {
      try {
        await this.#look();
        if (this.#hasTrouble) this.#tell('trouble', { message: null });
        this.#hasTrouble = false;
      } catch (error) {
        if (!this.#hasTrouble) this.#tell('trouble', { message: this.#sentence(error) });
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

  async #look(): Promise<void> {
    const recording = this.#opened();
    const growth = await recording.extend();
    const result =
      growth === 'replaced' ? await this.#gate.exclusive(() => recording.refresh()) : growth;
    if (result !== 'unchanged') this.#end = undefined;
    if (result === 'other') return this.#startAnew();
    const haveMoments = await this.#moments.refresh();
    const isFirst = recording.index.length === 0;
    if (result !== 'unchanged' || isFirst || haveMoments) {
      await this.#readOn(recording, isFirst || haveMoments);
    }
    if (!this.#pass) await this.#makeKeyframes(recording);
  }

  async #readOn(recording: TimelineRecording, haveMoments: boolean): Promise<void> {
    const known = recording.moments.length;
    // A running session adds little each time; one that is opened is told of in parts, so that something is seen soon.
    do await this.#foreground.whenIdle();
    while (await this.#gate.shared(() => recording.scan()));
    if (haveMoments || recording.moments.length !== known) this.#tellMoments(recording);
    this.#tell('extent', await this.#extent(recording));
    if (this.#pass) this.#startPass(recording);
    this.#goOnTranscribing(recording);
  }

  /** Those that are missing at the end, unless the recorder of a running session is only late. All of them come with the text. */
  async #makeKeyframes(recording: TimelineRecording): Promise<void> {
    const isLacking = () =>
      recording.keyframes.reach < recording.index.totalBytes - PASS_BYTES && !recording.isDisposed;
    if (isLacking()) await recording.keyframes.refresh();
    const now = performance.now();
    this.#lackingSince = isLacking() ? (this.#lackingSince ?? now) : undefined;
    if (this.#lackingSince === undefined) return;
    if (!this.isFinished && now - this.#lackingSince < LATE_MS) return;
    if (!this.#keyframePass || this.#keyframePass.isDisposed) {
      const [gate, foreground] = [this.#gate, this.#foreground];
      const pass = await gate.shared(() => KeyframePass.fromLast(recording, gate, foreground));
      if (recording.isDisposed) return pass?.dispose();
      this.#keyframePass = pass;
    }
    if (this.#keyframePass) void this.#keyframePass.run();
    else this.#startPass(recording);
  }

  async #startAnew(): Promise<void> {
    const opened = await TimelineRecording.open(this.#file);
    this.dispose();
    this.#pass = undefined;
    this.#keyframePass = undefined;
    this.#transcription = undefined;
    this.#recording = opened;
    this.#tell('replaced', {});
    await this.#look();
  }

  #startPass(recording: TimelineRecording): TextPass {
    this.#pass ??= new TextPass(recording, this.#gate, this.#foreground);
    void this.#pass.run();
    return this.#pass;
  }

  #goOnTranscribing(recording: TimelineRecording): void {
    if (!this.#isTranscribing) return;
    this.#transcription ??= new Transcription({
      ...{ recording, gate: this.#gate, foreground: this.#foreground },
      moments: () => this.#moments.merge(recording.moments, recording.index),
      tell: (body) => this.#tell('transcript', body),
    });
    void this.#transcription.goOn();
  }

  #read<T>(task: (recording: TimelineRecording) => Promise<T>): Promise<T> {
    return this.#foreground.run(() => this.#gate.shared(() => task(this.#opened())));
  }

  #opened(): TimelineRecording {
    if (!this.#recording) throw new UserError('not-open', 'The recording is not open.');
    return this.#recording;
  }

  #tellMoments(recording: TimelineRecording): void {
    const { startNs } = recording.index;
    const moments = this.#moments
      .merge(recording.moments, recording.index)
      .map((moment) => momentBody(moment, startNs));
    this.#tell('moments', { moments });
  }

  async #extent(recording: TimelineRecording): Promise<ExtentBody> {
    const { index, reader } = recording;
    return {
      startNs: String(index.startNs),
      ...(await recording.extent()),
      recordCount: reader.recordCount,
      isIndexed: index.length >= reader.recordCount,
      isFinished: reader.isFinished,
      problem: (reader.problem ?? recording.source.problem)?.message ?? null,
      gaps: index.gaps(IDLE_GAP_MS).flatMap(({ fromMs, toMs }) => [fromMs, toMs]),
    };
  }

  #sentence(error: unknown): string {
    const isGone = error instanceof UserError && error.code === 'recording-gone';
    if (isGone) return goneError(this.#file).message;
    return error instanceof UserError
      ? error.message
      : t('The recording cannot be read: {0}', messageOf(error));
  }
}

/** What was said in full is for those who read, not for a list. */
function momentBody({ tsNs, ...moment }: Moment, startNs: bigint): MomentBody {
  const body: MomentBody & { text?: string } = {
    ...moment,
    timeMs: Math.max(0, millisecondsSince(startNs, tsNs)),
  };
  delete body.text;
  return body;
}
