import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { PlayBuffer } from './playBuffer.ts';
import {
  START,
  type Place,
  type PlaybackScreen,
  type PlaybackSource,
  type PlayItem,
  type SeekTarget,
} from './playback.ts';
import { transition, type PlayerEvent, type PlayerState } from './playerState.ts';
import { Schedule } from './schedule.ts';

/** From a quarter to 32 times; each step doubles. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;

/** Sixty times a second is as often as a screen is drawn. */
const FRAME_MS = 16;
/** One step shows no more than this: a terminal takes it in 20 ms, and the clock waits rather than run away. */
const MAX_STEP_BYTES = 256 * 1024;
/** Further behind the end than this, a running session is shown by a seek: what lies between would only flicker. */
const MAX_CATCH_UP_BYTES = 1024 * 1024;

export interface PlayerOptions {
  readonly source: PlaybackSource;
  readonly screen: PlaybackScreen;
  readonly clock: Clock;
  /** Something failed that nobody waits for. */
  readonly onError: (error: unknown) => void;
}

/** Plays a recording on a screen: any speed, any place, forwards. Time comes from a clock, so that tests need not wait. */
export class Player implements Disposable {
  readonly #options: PlayerOptions;
  readonly #changes = new Emitter<void>();
  readonly #buffer: PlayBuffer;
  #state: PlayerState = 'paused';
  #schedule = Schedule.plain(0);
  #speed = 1;
  #isLive = false;
  #endMs = 0;
  #totalBytes = 0;
  /** What the screen shows. */
  #place: Place = START;
  /** Where the clock stood when it was last set; both in folded milliseconds and in its own time. */
  #anchor = { foldedMs: 0, clockNs: 0n };
  /** Counts what makes answers that are still on their way stale. */
  #generation = 0;
  #wanted: { target: SeekTarget; resolve: (isShown: boolean) => void } | undefined;
  #isSeeking = false;
  #wake: (() => void) | undefined;

  /** State, position, speed or length may have changed. */
  readonly onDidChange = this.#changes.event;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#buffer = new PlayBuffer(options.source);
  }

  get state(): PlayerState {
    return this.#state;
  }

  get place(): Place {
    return this.#place;
  }

  /** A place was asked for, and is not on the screen yet. */
  get isSeeking(): boolean {
    return this.#isSeeking;
  }

  get speed(): number {
    return this.#speed;
  }

  /** Milliseconds since the start of the recording; moves between records too while it plays. */
  get positionMs(): number {
    return Math.min(this.#schedule.toRecorded(this.#foldedNow()), this.#endMs);
  }

  play(): void {
    this.#handle('play');
  }

  pause(): void {
    this.#handle('pause');
  }

  toggle(): void {
    this.#handle(this.#state === 'playing' || this.#state === 'following' ? 'pause' : 'play');
  }

  /** To the end of a running session, and on with it. */
  follow(): void {
    if (this.#isLive) this.#handle('follow');
    else void this.seek({ end: true });
  }

  setSpeed(speed: number): void {
    this.#setAnchor(this.positionMs);
    this.#speed = speed;
    this.#changes.fire();
  }

  /** @param schedule which gaps are passed over quickly */
  setSchedule(schedule: Schedule): void {
    const positionMs = this.positionMs;
    this.#schedule = schedule;
    this.#setAnchor(positionMs);
    this.#changes.fire();
  }

  /** The recording is so long now, and may become longer. */
  setExtent(extent: { endMs: number; totalBytes: number; isLive: boolean }): void {
    const wasLive = this.#isLive;
    const hasGrown = extent.totalBytes > this.#totalBytes;
    this.#endMs = extent.endMs;
    this.#totalBytes = extent.totalBytes;
    this.#isLive = extent.isLive;
    this.#buffer.grew();
    if (this.#state === 'following') void this.#catchUp(this.#generation);
    if (wasLive && !extent.isLive) this.#handle('finish');
    // That a session has ended may be known before its last words are.
    else if (this.#state === 'ended' && hasGrown) void this.#seekTo({ end: true });
    this.#changes.fire();
  }

  /**
   * Shows a place. Of several that are asked for in a hurry only the first and the last are shown.
   * @returns whether it was shown, rather than overtaken by another
   */
  seek(target: SeekTarget): Promise<boolean> {
    this.#handle('seek');
    return this.#seekTo(target);
  }

  dispose(): void {
    this.#generation++;
    this.#wake?.();
    this.#changes.dispose();
  }

  #handle(event: PlayerEvent): void {
    const next = transition(this.#state, event);
    if (!next) return;
    // The clock is read before it stops.
    const positionMs = this.positionMs;
    this.#state = next.to;
    switch (next.action) {
      case 'startClock':
        this.#setAnchor(positionMs);
        void this.#run();
        break;
      case 'stopClock':
        this.#stop();
        this.#setAnchor(positionMs);
        void this.#options.screen.rest();
        break;
      case 'restart':
        void this.#seekTo({ timeMs: 0 });
        break;
      case 'goToEnd':
        void this.#seekTo({ end: true });
        break;
      case undefined:
        break;
    }
    this.#changes.fire();
  }

  #seekTo(target: SeekTarget): Promise<boolean> {
    this.#stop();
    this.#wanted?.resolve(false);
    return new Promise((resolve) => {
      this.#wanted = { target, resolve };
      if (!this.#isSeeking) void this.#answerSeeks();
    });
  }

  async #answerSeeks(): Promise<void> {
    this.#isSeeking = true;
    this.#changes.fire();
    while (this.#wanted) {
      const { target, resolve } = this.#wanted;
      this.#wanted = undefined;
      try {
        const shown = await this.#options.source.frame(target);
        this.#buffer.clear();
        this.#place = shown.place;
        await this.#options.screen.reset(shown);
        this.#endMs = Math.max(this.#endMs, shown.place.timeMs);
        this.#setAnchor('timeMs' in target ? target.timeMs : shown.place.timeMs);
        resolve(true);
        this.#changes.fire();
      } catch (error) {
        this.#options.onError(error);
        resolve(false);
      }
    }
    this.#isSeeking = false;
    this.#changes.fire();
    if (this.#state === 'playing') void this.#run();
    else if (this.#state === 'following') void this.#catchUp(this.#generation);
  }

  #stop(): void {
    this.#generation++;
    this.#wake?.();
  }

  /** Until something else happens: what is due, a look at the clock, and again. */
  async #run(): Promise<void> {
    const generation = ++this.#generation;
    const isCurrent = () => generation === this.#generation && this.#state === 'playing';
    try {
      while (isCurrent()) {
        if (this.#buffer.needsData) {
          const positionMs = this.positionMs;
          await this.#buffer.fill(this.#place);
          if (!isCurrent()) return;
          // The time it took to get more is not time that was played.
          this.#setAnchor(positionMs);
        }
        if (await this.#showDue(isCurrent)) return;
        this.#buffer.prefetch(this.#place);
        await this.#sleep();
      }
    } catch (error) {
      if (!isCurrent()) return;
      this.#options.onError(error);
      this.#handle('pause');
    }
  }

  /** @returns whether there is nothing left to play */
  async #showDue(isCurrent: () => boolean): Promise<boolean> {
    const untilMs = this.#schedule.toRecorded(this.#foldedNow());
    let shownBytes = 0;
    for (;;) {
      const item = this.#buffer.takeDue(untilMs);
      if (!item) break;
      await this.#show(item);
      if (!isCurrent()) return true;
      shownBytes += item.kind === 'output' ? item.bytes.length : item.stream.length;
      if (shownBytes < MAX_STEP_BYTES) continue;
      this.#setAnchor(item.place.timeMs);
      break;
    }
    this.#changes.fire();
    if (!this.#buffer.isAtEnd || untilMs < this.#endMs) return false;
    this.#handle(this.#isLive ? 'reachLiveEnd' : 'reachEnd');
    return true;
  }

  async #show(item: PlayItem): Promise<void> {
    this.#place = item.place;
    if (item.kind === 'output') await this.#options.screen.write(item.bytes);
    else await this.#options.screen.reset(item);
  }

  /** Shows what a running session has printed since. */
  async #catchUp(generation: number): Promise<void> {
    const isCurrent = () =>
      generation === this.#generation && this.#state === 'following' && !this.#isSeeking;
    if (!isCurrent()) return;
    if (this.#totalBytes - this.#place.byteOffset > MAX_CATCH_UP_BYTES) {
      await this.#seekTo({ end: true });
      return;
    }
    const current = ++this.#generation;
    try {
      while (current === this.#generation && this.#state === 'following') {
        if (this.#buffer.needsData) await this.#buffer.fill(this.#place);
        if (current !== this.#generation) return;
        const item = this.#buffer.takeDue(Infinity);
        if (!item) break;
        await this.#show(item);
      }
      if (current !== this.#generation) return;
      this.#setAnchor(Math.max(this.#endMs, this.#place.timeMs));
      this.#changes.fire();
    } catch (error) {
      if (current === this.#generation) this.#options.onError(error);
    }
  }

  #foldedNow(): number {
    const { foldedMs, clockNs } = this.#anchor;
    if (this.#state !== 'playing' || this.#isSeeking) return foldedMs;
    const elapsedMs = Number(this.#options.clock.nowNs() - clockNs) / 1e6;
    return foldedMs + elapsedMs * this.#speed;
  }

  #setAnchor(recordedMs: number): void {
    const foldedMs = this.#schedule.toFolded(recordedMs);
    this.#anchor = { foldedMs, clockNs: this.#options.clock.nowNs() };
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.schedule(FRAME_MS, resolve);
      this.#wake = () => {
        timer.dispose();
        resolve();
      };
    });
  }
}
