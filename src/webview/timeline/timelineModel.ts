import { Emitter } from '../../base/emitter.ts';
import { Schedule } from '../../timeline/common/schedule.ts';
import {
  clampWindow,
  extend,
  isWhole,
  pan,
  reveal,
  wholeWindow,
  zoomAround,
  type ZoomWindow,
} from '../../timeline/common/zoom.ts';
import type { HitBody, SessionBody } from '../../timeline/common/webviewProtocol.ts';
import { passes, type MomentFilter } from './moments/momentFilter.ts';
import type { PageExtent, PageMoment } from './host/parseEvents.ts';

/** A pause that is skipped is still to be noticed. */
const SKIPPED_GAP_MS = 300;
/** On the axis a gap has to be wide enough to be seen, and all gaps together must leave room for what happened. */
const GAP_SHARE = 0.05;
const ALL_GAPS_SHARE = 0.3;

const NOTHING: PageExtent = {
  ...{ startNs: '0', endMs: 0, totalBytes: 0, isIndexed: false, isFinished: false },
  ...{ problem: null, gaps: [] },
};

/** What the page shows, apart from where the player is. */
export class TimelineModel {
  readonly #changes = new Emitter<void>();
  #axis = Schedule.plain(0);
  #schedule = Schedule.plain(0);
  #visible: readonly PageMoment[] = [];
  extent = NOTHING;
  session: SessionBody = { sessionId: null, name: '', isRunning: false, stateText: '' };
  moments: readonly PageMoment[] = [];
  filter: MomentFilter = 'all';
  hits: readonly HitBody[] = [];
  isIdleSkipped = true;
  zoom: ZoomWindow = wholeWindow(0);

  readonly onDidChange = this.#changes.event;

  /** Recorded time to places on the scrubber, and back. */
  get axis(): Schedule {
    return this.#axis;
  }

  /** How the player counts time. */
  get schedule(): Schedule {
    return this.#schedule;
  }

  get isLive(): boolean {
    return this.session.isRunning && !this.extent.isFinished;
  }

  get isZoomed(): boolean {
    return !isWhole(this.zoom, this.#axis.foldedEndMs);
  }

  /** Those that the filter lets through, in the session's order. */
  get visibleMoments(): readonly PageMoment[] {
    return this.#visible;
  }

  setExtent(extent: PageExtent): void {
    this.extent = extent;
    this.#layOut();
  }

  setSession(session: SessionBody): void {
    this.session = session;
    this.#changes.fire();
  }

  setMoments(moments: readonly PageMoment[]): void {
    this.moments = moments;
    this.#select();
  }

  setFilter(filter: MomentFilter): void {
    this.filter = filter;
    this.#select();
  }

  setHits(hits: readonly HitBody[]): void {
    this.hits = hits;
    this.#changes.fire();
  }

  setIdleSkipped(isIdleSkipped: boolean): void {
    this.isIdleSkipped = isIdleSkipped;
    this.zoom = wholeWindow(this.#axis.foldedEndMs);
    this.#layOut();
  }

  setZoom(zoom: ZoomWindow): void {
    this.zoom = clampWindow(zoom, this.#axis.foldedEndMs);
    this.#changes.fire();
  }

  zoomBy(factor: number, aroundMs: number): void {
    const place = this.#axis.toFolded(aroundMs);
    this.setZoom(zoomAround(this.zoom, place, factor, this.#axis.foldedEndMs));
  }

  panBy(share: number): void {
    this.setZoom(pan(this.zoom, share, this.#axis.foldedEndMs));
  }

  zoomToAll(): void {
    this.setZoom(wholeWindow(this.#axis.foldedEndMs));
  }

  /** Moves what is shown of the axis if the place is not in it. */
  reveal(timeMs: number): void {
    const moved = reveal(this.zoom, this.#axis.toFolded(timeMs), this.#axis.foldedEndMs);
    if (moved.from !== this.zoom.from) this.setZoom(moved);
  }

  #layOut(): void {
    const oldEnd = this.#axis.foldedEndMs;
    const { gaps, endMs } = this.extent;
    const skipped = this.isIdleSkipped ? gaps : [];
    const idleMs = skipped.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    const busyMs = Math.max(1000, endMs - idleMs);
    const share = Math.min(GAP_SHARE, ALL_GAPS_SHARE / Math.max(1, skipped.length));
    this.#axis = new Schedule(skipped, busyMs * share, endMs);
    this.#schedule = new Schedule(skipped, SKIPPED_GAP_MS, endMs);
    this.zoom = extend(this.zoom, oldEnd, this.#axis.foldedEndMs);
    this.#changes.fire();
  }

  #select(): void {
    this.#visible = this.moments.filter((moment) => passes(moment, this.filter));
    this.#changes.fire();
  }
}
