import * as l10n from '@vscode/l10n';
import { layoutMarkers } from '../../../timeline/common/moments/markerLayout.ts';
import type { ScreenState } from '../../../timeline/common/playback/playback.ts';
import { placeOf, shareOf } from '../../../timeline/common/zoom.ts';
import { spanText } from '../../../base/spanText.ts';
import { isAtPointer } from '../contextMenu.ts';
import { element } from '../element.ts';
import { gapText } from './gapText.ts';
import { HeatView } from './heatView.ts';
import type { HoverCard } from './hoverCard.ts';
import { LanesView } from './lanesView.ts';
import { PlaceCard } from './placeCard.ts';
import { markerElement, momentCard } from '../moments/momentStyle.ts';
import type { TimelineModel } from '../timelineModel.ts';
import { clockText, positionText } from '../timeText.ts';

/** Minimum distance of marks in pixels, so that they are distinct and easy to hit. */
const MARKER_DISTANCE = 16;
const WHEEL_ZOOM = 1.2;

export interface ScrubberHandlers {
  readonly onSeek: (timeMs: number) => void;
  readonly onMoment: (id: string) => void;
  readonly onBranch: (sessionId: string) => void;
  readonly frameAt: (timeMs: number) => Promise<ScreenState>;
}

/** The session as a line: output, gaps, moments, matches, branches and the current position. */
export class ScrubberView {
  readonly root: HTMLElement;
  readonly heat = new HeatView();
  readonly lanes: LanesView;
  readonly #model: TimelineModel;
  readonly #card: HoverCard;
  readonly #placeCard: PlaceCard;
  readonly #handlers: ScrubberHandlers;
  readonly #track: HTMLElement;
  readonly #cursor = element('div', { class: 'cursor' });
  readonly #cursorTime = element('span', { class: 'cursor-time' });
  readonly #gaps = element('div', { class: 'gaps' });
  readonly #hits = element('div', { class: 'hits' });
  readonly #markers = element('div', { class: 'markers' });
  #shownMarkers: readonly unknown[] = [];

  constructor(model: TimelineModel, card: HoverCard, handlers: ScrubberHandlers) {
    this.#model = model;
    this.#card = card;
    this.#placeCard = new PlaceCard(model, card, handlers.frameAt);
    this.#handlers = handlers;
    this.lanes = new LanesView(model, handlers.onBranch);
    this.#cursor.append(this.#cursorTime);
    this.#track = element(
      'div',
      {
        class: 'track',
        attributes: {
          role: 'slider',
          tabindex: '0',
          'aria-label': l10n.t('Position'),
          'aria-valuemin': '0',
        },
      },
      this.heat.root,
      this.#gaps,
      this.#hits,
    );
    this.root = element(
      'div',
      { class: 'scrubber' },
      this.#track,
      this.#markers,
      this.lanes.root,
      this.#cursor,
    );
    this.#followPointer();
    this.root.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  get width(): number {
    return this.#track.clientWidth;
  }

  focus(): void {
    this.#track.focus();
  }

  /** Edges of the buckets of the output graph, in recorded time. */
  edges(buckets: number): number[] {
    const { axis, zoom } = this.#model;
    return Array.from({ length: buckets + 1 }, (_, index) => {
      // Output at the very start belongs to the first bucket.
      return axis.toRecorded(placeOf(zoom, index / buckets)) - (index === 0 ? 1 : 0);
    });
  }

  showPosition(timeMs: number): void {
    const { extent, axis, zoom } = this.#model;
    const share = shareOf(zoom, axis.toFolded(timeMs));
    this.#cursor.hidden = share < -0.001 || share > 1.001;
    this.#cursor.style.left = `${share * this.width}px`;
    this.#cursor.classList.toggle('is-left', share > 0.9);
    this.#cursorTime.textContent = clockText(extent.startNs, timeMs);
    const track = this.#track;
    track.setAttribute('aria-valuemax', String(Math.round(extent.endMs / 1000)));
    track.setAttribute('aria-valuenow', String(Math.round(timeMs / 1000)));
    const text = l10n.t('{0} of {1}', positionText(timeMs), positionText(extent.endMs));
    track.setAttribute('aria-valuetext', text);
  }

  /** Draws everything but the position and the output graph. */
  show(): void {
    this.#showGaps();
    this.#showHits();
    this.#showMarkers();
    this.lanes.show(this.width, (timeMs) => this.#x(timeMs));
  }

  #x(timeMs: number): number {
    const { axis, zoom } = this.#model;
    return shareOf(zoom, axis.toFolded(timeMs)) * this.width;
  }

  #showGaps(): void {
    const { extent, isIdleSkipped } = this.#model;
    // Label idle time only where it is shortened. Label pauses of the recording always.
    const shown = extent.gaps.filter(({ isPause }) => isIdleSkipped || isPause);
    this.#gaps.replaceChildren(
      ...shown.flatMap((each) => {
        const { fromMs, toMs, isPause } = each;
        const from = Math.max(0, this.#x(fromMs));
        const to = Math.min(this.width, this.#x(toMs));
        if (to - from < 2) return [];
        const gap = element('div', { class: isPause ? 'gap is-pause' : 'gap' });
        // Leave the text out where it would be cut off.
        const texts = [gapText(each), spanText(toMs - fromMs)];
        const text = texts.find(({ length }) => length * 7 < to - from);
        gap.textContent = text ?? '';
        gap.style.left = `${from}px`;
        gap.style.width = `${to - from}px`;
        return [gap];
      }),
    );
  }

  #showHits(): void {
    const places = new Set<number>();
    for (const { timeMs } of this.#model.hits) {
      const x = Math.round(this.#x(timeMs));
      if (x >= 0 && x <= this.width) places.add(x);
    }
    this.#hits.replaceChildren(
      ...[...places].map((x) => {
        const hit = element('div', { class: 'hit' });
        hit.style.left = `${x}px`;
        return hit;
      }),
    );
  }

  #showMarkers(): void {
    const { visibleMoments, extent, axis, zoom } = this.#model;
    const { width } = this;
    // Draw the marks only if they have changed: most updates don't change them.
    const shown = [visibleMoments, axis, zoom, width];
    if (shown.every((value, index) => value === this.#shownMarkers[index])) return;
    this.#shownMarkers = shown;
    const byId = new Map(visibleMoments.map((moment) => [moment.id, moment]));
    const inputs = visibleMoments
      .map(({ id, kind, timeMs, isError }) => {
        const x = shareOf(zoom, axis.toFolded(timeMs)) * width;
        return { id, kind, x, ...(isError && { isError }) };
      })
      .filter(({ x }) => x >= 0 && x <= width)
      .sort((a, b) => a.x - b.x);
    const markers = layoutMarkers(inputs, MARKER_DISTANCE).map((marker) => {
      const moments = marker.ids.flatMap((id) => byId.get(id) ?? []);
      const button = markerElement(marker, moments);
      button.style.left = `${marker.x}px`;
      button.addEventListener('click', () => moments[0] && this.#handlers.onMoment(moments[0].id));
      button.addEventListener('pointerenter', () =>
        this.#card.show(this.#anchorOf(button), ...momentCard(moments, extent.startNs)),
      );
      button.addEventListener('pointerleave', () => this.#card.hide());
      return button;
    });
    this.#card.hide();
    this.#markers.replaceChildren(...markers);
  }

  #anchorOf(marker: HTMLElement): DOMRect {
    const { left, width } = marker.getBoundingClientRect();
    return this.#anchorAt(left, width);
  }

  /** Cards are above the whole scrubber, so that they cover neither marks nor output. */
  #anchorAt(left: number, width = 0): DOMRect {
    const { top, height } = this.root.getBoundingClientRect();
    return new DOMRect(left, top, width, height);
  }

  /** The time under the pointer. */
  timeAt(event: MouseEvent): number {
    const { left, width } = this.#track.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    const { axis, zoom, extent } = this.#model;
    return Math.min(extent.endMs, axis.toRecorded(placeOf(zoom, share)));
  }

  #followPointer(): void {
    const track = this.#track;
    track.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      track.setPointerCapture(event.pointerId);
      this.#handlers.onSeek(this.timeAt(event));
    });
    track.addEventListener('pointermove', (event) => {
      const timeMs = this.timeAt(event);
      const isDragging = track.hasPointerCapture(event.pointerId);
      if (isDragging) this.#handlers.onSeek(timeMs);
      this.#placeCard.show(this.#anchorAt(event.clientX), timeMs, !isDragging);
    });
    // The context menu applies to the position at which it was opened, so go there.
    track.addEventListener('contextmenu', (event) => {
      if (isAtPointer(event)) this.#handlers.onSeek(this.timeAt(event));
    });
    track.addEventListener('pointerleave', () => this.#placeCard.hide());
  }

  #wheel(event: WheelEvent): void {
    // With Ctrl, the wheel zooms the editor.
    if (event.ctrlKey) return;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.#model.panBy(Math.sign(event.deltaX || event.deltaY) * 0.1);
    } else {
      this.#model.zoomBy(event.deltaY < 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM, this.timeAt(event));
    }
  }
}
