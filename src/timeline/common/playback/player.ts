import type { Clock } from '../../../base/clock.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
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
import { TimeAxis } from './timeAxis.ts';

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;

/** Screens refresh about sixty times a second. */
const FRAME_MS = 16;
/**
 * Most bytes written in one step; a terminal parses them in 20 ms, and the playback clock waits for
 * that.
 */
const MAX_STEP_BYTES = 256 * 1024;
/**
 * When the player is further behind the end, it seeks to the end: playing the output in between
 * would only flicker.
 */
const MAX_CATCH_UP_BYTES = 1024 * 1024;

export interface PlayerOptions {
  readonly source: PlaybackSource;
  readonly screen: PlaybackScreen;
  readonly clock: Clock;
  /** Called when a background task fails. */
  readonly onError: (error: unknown) => void;
}

/** Plays a recording on a screen, from any position and at any speed. */
export class Player implements Disposable {
  readonly #options: PlayerOptions;
  readonly #changes = new Emitter<void>();
  readonly #buffer: PlayBuffer;
  #state: PlayerState = 'paused';
  #axis = TimeAxis.plain(0);
  #speed = 1;
  #isLive = false;
  #endMs = 0;
  #totalBytes = 0;
  /** Position that the screen shows. */
  #place: Place = START;
  /** The position when the clock was last set, and the time of the clock then. */
  #anchor = { foldedMs: 0, clockNs: 0n };
  /** Increments when pending answers become stale. */
  #generation = 0;
  #nextSeek: { target: SeekTarget; resolve: (isShown: boolean) => void } | undefined;
  #isSeeking = false;
  #wake: (() => void) | undefined;

  /** Fires when state, position, speed or length may have changed. */
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

  /** Whether a seek is not on the screen yet. */
  get isSeeking(): boolean {
    return this.#isSeeking;
  }

  get speed(): number {
    return this.#speed;
  }

  /** Milliseconds since the start of the recording; advances between records while playing. */
  get positionMs(): number {
    return Math.min(this.#axis.toRecorded(this.#foldedNow()), this.#endMs);
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

  /** Goes to the end; in a running session, keeps showing new output. */
  follow(): void {
    if (this.#isLive) this.#handle('follow');
    else void this.seek({ end: true });
  }

  setSpeed(speed: number): void {
    this.#setAnchor(this.positionMs);
    this.#speed = speed;
    this.#changes.fire();
  }

  /** @param axis the time axis, which shortens idle gaps */
  setTimeAxis(axis: TimeAxis): void {
    const positionMs = this.positionMs;
    this.#axis = axis;
    this.#setAnchor(positionMs);
    this.#changes.fire();
  }

  /** Sets the current length of the recording. */
  setExtent(extent: { endMs: number; totalBytes: number; isLive: boolean }): void {
    const wasLive = this.#isLive;
    const hasGrown = extent.totalBytes > this.#totalBytes;
    this.#endMs = extent.endMs;
    this.#totalBytes = extent.totalBytes;
    this.#isLive = extent.isLive;
    this.#buffer.grew();
    if (this.#state === 'following') void this.#catchUp(this.#generation);
    if (wasLive && !extent.isLive) this.#handle('finish');
    // The last output can arrive after the end of the session is known.
    else if (this.#state === 'ended' && hasGrown) void this.#seekTo({ end: true });
    this.#changes.fire();
  }

  /**
   * Shows a position. While one seek is pending, only the latest further seek is kept.
   * @returns false if a later seek replaced this one, or if it failed
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
    // Read the clock before the state change stops it.
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
    this.#nextSeek?.resolve(false);
    return new Promise((resolve) => {
      this.#nextSeek = { target, resolve };
      if (!this.#isSeeking) void this.#answerSeeks();
    });
  }

  async #answerSeeks(): Promise<void> {
    this.#isSeeking = true;
    this.#changes.fire();
    while (this.#nextSeek) {
      const { target, resolve } = this.#nextSeek;
      this.#nextSeek = undefined;
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

  /** Shows due items frame by frame, until the state changes. */
  async #run(): Promise<void> {
    const generation = ++this.#generation;
    const isCurrent = () => generation === this.#generation && this.#state === 'playing';
    try {
      while (isCurrent()) {
        if (this.#buffer.needsData) {
          const positionMs = this.positionMs;
          await this.#buffer.fill(this.#place);
          if (!isCurrent()) return;
          // Loading time does not count as playing time.
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

  /** @returns whether playing has ended */
  async #showDue(isCurrent: () => boolean): Promise<boolean> {
    const untilMs = this.#axis.toRecorded(this.#foldedNow());
    let shownBytes = 0;
    for (;;) {
      const item = this.#buffer.takeDue(untilMs);
      if (!item) break;
      await this.#show(item);
      if (!isCurrent()) return true;
      shownBytes += item.bytes.length;
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

  /** Shows the new output of a running session. */
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
    const foldedMs = this.#axis.toFolded(recordedMs);
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
