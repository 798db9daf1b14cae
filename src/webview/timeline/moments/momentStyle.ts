import * as l10n from '@vscode/l10n';
import type { Marker } from '../../../timeline/common/moments/markerLayout.ts';
import { element, icon } from '../element.ts';
import { KIND_STYLE } from './kindStyle.ts';
import { momentFacts } from './momentFacts.ts';
import type { PageMoment } from '../../../timeline/common/moments/moment.ts';
import { clockText, positionText } from '../timeText.ts';

/** Maximum number of moments that a hover card lists; it counts the others. */
const MAX_CARD_MOMENTS = 6;

/** A mark on the scrubber. It is not a tab stop, since the list leads to the same moments. */
export function markerElement(marker: Marker, moments: readonly PageMoment[]): HTMLButtonElement {
  const [first] = moments;
  const label =
    first && moments.length === 1 ? momentLabel(first) : l10n.t('{0} moments', moments.length);
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
  return l10n.t('{0}: {1}, at {2}', KIND_STYLE[kind].name, title, positionText(timeMs));
}

/** More about a moment than its title. */
export function momentDetail({ detail, isDiscarded }: PageMoment): string | undefined {
  return isDiscarded ? l10n.t('discarded') : detail;
}

/** The hover card of one moment, or of several, of which it lists the first few. */
export function momentCard(moments: readonly PageMoment[], startNs: string): HTMLElement[] {
  const lines = moments.slice(0, MAX_CARD_MOMENTS).map((moment) => {
    const { kind, title, exact, isError, isDiscarded } = moment;
    const detail = momentDetail(moment);
    const line = element(
      'div',
      {
        class: `card-moment kind-${kind} ${isError ? 'is-error' : ''} ${isDiscarded ? 'is-discarded' : ''}`,
      },
      icon(KIND_STYLE[kind].icon),
      element('span', { class: 'card-title', text: title }),
      element('span', { class: 'card-facts dim', text: factsText(moment) }),
    );
    if (moments.length > 1) return [line];
    return [
      line,
      ...(exact === undefined ? [] : [element('pre', { class: 'card-exact', text: exact })]),
      ...(detail === undefined ? [] : [element('div', { class: 'card-detail dim', text: detail })]),
    ];
  });
  const rest = moments.length - MAX_CARD_MOMENTS;
  const end = rest > 0 ? l10n.t('and {0} more', rest) : clockText(startNs, moments[0]?.timeMs ?? 0);
  return [...lines.flat(), element('div', { class: 'card-detail dim', text: end })];
}

function countText(count: number): string {
  return count > 99 ? '99+' : String(count);
}

function factsText(moment: PageMoment): string {
  const { number, time } = momentFacts({ moment, parts: [] });
  return number === undefined ? time : `${number} · ${time}`;
}
