import type { Marker } from '../../../timeline/common/markerLayout.ts';
import { element, icon } from '../element.ts';
import { KIND_STYLE } from './kindStyle.ts';
import type { PageMoment } from '../host/parseEvents.ts';
import { clockText, positionText } from '../timeText.ts';
import { t } from '../words.ts';

/** A card lists no more than this; the rest is counted. */
const MAX_CARD_MOMENTS = 6;

/** A mark on the scrubber. Out of the order of the Tab key: the list and its keys lead to the same moments. */
export function markerElement(marker: Marker, moments: readonly PageMoment[]): HTMLButtonElement {
  const [first] = moments;
  const label = moments.length === 1 ? momentLabel(first!) : t('{0} moments', moments.length);
  const button = element(
    'button',
    {
      class: `marker kind-${marker.kind} ${marker.isError ? 'is-error' : ''}`,
      attributes: { type: 'button', tabindex: '-1', 'aria-label': label },
    },
    icon(KIND_STYLE[marker.kind].icon),
  );
  if (moments.length > 1) {
    button.append(element('span', { class: 'count', text: countText(moments.length) }));
  }
  return button;
}

export function momentLabel({ kind, title, timeMs }: PageMoment): string {
  return t('{0}: {1}, at {2}', KIND_STYLE[kind].name, title, positionText(timeMs));
}

/** What is known of one moment, or the first few of several. */
export function momentCard(moments: readonly PageMoment[], startNs: string): HTMLElement[] {
  const lines = moments.slice(0, MAX_CARD_MOMENTS).map((moment) => {
    const { kind, title, detail, exact, timeMs, isError } = moment;
    const line = element(
      'div',
      { class: `card-moment kind-${kind} ${isError ? 'is-error' : ''}` },
      icon(KIND_STYLE[kind].icon),
      element('span', { class: 'card-title', text: title }),
      element('span', { class: 'dim', text: positionText(timeMs) }),
    );
    if (moments.length > 1) return [line];
    return [
      line,
      ...(exact === undefined ? [] : [element('pre', { class: 'card-exact', text: exact })]),
      ...(detail === undefined ? [] : [element('div', { class: 'card-detail dim', text: detail })]),
    ];
  });
  const rest = moments.length - MAX_CARD_MOMENTS;
  const end = rest > 0 ? t('and {0} more', rest) : clockText(startNs, moments[0]!.timeMs);
  return [...lines.flat(), element('div', { class: 'card-detail dim', text: end })];
}

function countText(count: number): string {
  return count > 99 ? '99+' : String(count);
}
