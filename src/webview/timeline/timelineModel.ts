import { Emitter } from '../../base/emitter.ts';
import { DEFAULT_UNICODE_VERSION } from '../../base/unicodeVersion.ts';
import { TimeAxis } from '../../timeline/common/playback/timeAxis.ts';
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
import type { SearchHit } from '../../timeline/common/search/searchHits.ts';
import type { SessionHeader, Extent } from '../../timeline/common/protocol/timelineProtocol.ts';
import { listRows, type ListRow } from './moments/listRows.ts';
import { matchesFilter, type MomentFilter } from './moments/momentFilter.ts';
import type { PageMoment } from '../../timeline/common/moments/moment.ts';

/** Length of a skipped gap while playing: long enough to notice. */
const SKIPPED_GAP_MS = 300;
/**
 * Share of the axis for one gap and for all gaps together, so that there is room for the output.
 */
const GAP_SHARE = 0.05;
const ALL_GAPS_SHARE = 0.3;

const NO_SESSION: SessionHeader = {
  sessionId: null,
  name: '',
  isRunning: false,
  stateText: '',
  origin: null,
};
const EMPTY: Extent = {
  startNs: '0',
  unicodeVersion: DEFAULT_UNICODE_VERSION,
  endMs: 0,
  totalBytes: 0,
  recordCount: 0,
  isIndexed: false,
  isFinished: false,
  problem: null,
  gaps: [],
};

/** The state of the page, except the player's. */
export class TimelineModel {
  readonly #changes = new Emitter<void>();
  #axis = TimeAxis.plain(0);
  #playbackAxis = TimeAxis.plain(0);
  #visible: readonly PageMoment[] = [];
  #rows: readonly ListRow[] = [];
  /** The row of each listed moment, by the ID of the moment. */
  #rowOf: ReadonlyMap<string, ListRow> = new Map();
  extent = EMPTY;
  session: SessionHeader = NO_SESSION;
  moments: readonly PageMoment[] = [];
  filter: MomentFilter = 'all';
  /** Whether the recording can't be read at the moment; the notice says why. */
  hasTrouble = false;
  hits: readonly SearchHit[] = [];
  isIdleSkipped = true;
  zoom: ZoomWindow = wholeWindow(0);

  readonly onDidChange = this.#changes.event;

  /** Converts between recorded time and time on the scrubber, where skipped gaps are shortened. */
  get axis(): TimeAxis {
    return this.#axis;
  }

  /** Converts between recorded time and playing time, where skipped gaps are shortened. */
  get playbackAxis(): TimeAxis {
    return this.#playbackAxis;
  }

  get isLive(): boolean {
    return this.session.isRunning && !this.extent.isFinished;
  }

  get isZoomed(): boolean {
    return !isWhole(this.zoom, this.#axis.foldedEndMs);
  }

  /**
   * Whether no moment has files. True for a recording without a session, and for a session whose
   * snapshots failed, were deleted, or are stored by another program. For a session, false until
   * the whole recording is read.
   */
  get hasNoFiles(): boolean {
    if (this.session.sessionId === null) return true;
    return this.extent.isIndexed && this.moments.every((each) => each.snapshotId === undefined);
  }

  /** Moments that match the filter, in session order. */
  get visibleMoments(): readonly PageMoment[] {
    return this.#visible;
  }

  /** The rows of the list, in session order. */
  get rows(): readonly ListRow[] {
    return this.#rows;
  }

  /** The row that shows a moment. */
  rowOf(id: string | undefined): ListRow | undefined {
    return id === undefined ? undefined : this.#rowOf.get(id);
  }

  setExtent(extent: Extent): void {
    this.extent = extent;
    this.#updateAxis();
  }

  setSession(session: SessionHeader): void {
    this.session = session;
    this.#changes.fire();
  }

  setTrouble(hasTrouble: boolean): void {
    this.hasTrouble = hasTrouble;
    this.#changes.fire();
  }

  setMoments(moments: readonly PageMoment[]): void {
    this.moments = moments;
    this.#applyFilter();
  }

  setFilter(filter: MomentFilter): void {
    this.filter = filter;
    this.#applyFilter();
  }

  setHits(hits: readonly SearchHit[]): void {
    this.hits = hits;
    this.#changes.fire();
  }

  setIdleSkipped(isIdleSkipped: boolean): void {
    this.isIdleSkipped = isIdleSkipped;
    this.zoom = wholeWindow(this.#axis.foldedEndMs);
    this.#updateAxis();
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

  /** Scrolls the axis so that a position is visible. */
  reveal(timeMs: number): void {
    const moved = reveal(this.zoom, this.#axis.toFolded(timeMs), this.#axis.foldedEndMs);
    if (moved.from !== this.zoom.from) this.setZoom(moved);
  }

  #updateAxis(): void {
    const oldEnd = this.#axis.foldedEndMs;
    const { gaps, endMs } = this.extent;
    const skipped = this.isIdleSkipped ? gaps : [];
    const idleMs = skipped.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    const busyMs = Math.max(1000, endMs - idleMs);
    const share = Math.min(GAP_SHARE, ALL_GAPS_SHARE / Math.max(1, skipped.length));
    this.#axis = new TimeAxis(skipped, busyMs * share, endMs);
    this.#playbackAxis = new TimeAxis(skipped, SKIPPED_GAP_MS, endMs);
    this.zoom = extend(this.zoom, oldEnd, this.#axis.foldedEndMs);
    this.#changes.fire();
  }

  #applyFilter(): void {
    this.#visible = this.moments.filter((moment) => matchesFilter(moment, this.filter));
    this.#rows = listRows(this.#visible, this.moments);
    this.#rowOf = new Map(
      this.#rows.flatMap((row) => [row.moment, ...row.parts].map(({ id }) => [id, row] as const)),
    );
    this.#changes.fire();
  }
}
