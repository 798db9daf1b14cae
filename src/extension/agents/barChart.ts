import { escapeHtml } from '../html.ts';

export interface Bar {
  readonly value: number;
  /** Text for the tooltip. */
  readonly label: string;
  /** The formatted value. */
  readonly text: string;
}

const WIDTH = 400;
const HEIGHT = 64;
/** Space for the values above the bars. */
const TOP = 16;
const BOTTOM = 18;
const MAX_BAR_WIDTH = 28;
/** Distance between bars if each bar shows its value. */
const LABELLED_STEP = 48;
/** Keeps bars of small values visible. */
const MIN_BAR_HEIGHT = 2;

/**
 * Draws an SVG bar chart; an empty string if all values are 0. Each of a few bars shows its value;
 * of many bars, only the highest value is shown.
 * @param first number of the first bar
 */
export function barChart(title: string, bars: readonly Bar[], first = 1): string {
  const highest = bars.reduce((a, b) => (b.value > a.value ? b : a), { value: 0, text: '' });
  if (highest.value === 0) return '';
  const isLabelled = bars.length * LABELLED_STEP <= WIDTH;
  const step = isLabelled ? LABELLED_STEP : Math.min(WIDTH / bars.length, MAX_BAR_WIDTH + 4);
  const width = isLabelled ? MAX_BAR_WIDTH : Math.max(1, step - Math.min(4, step / 4));
  const base = TOP + HEIGHT;
  const middle = (index: number) => fixed(index * step + width / 2);
  const drawn = bars.map(({ value, label, text }, index) => {
    const height = value === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (value / highest.value) * HEIGHT);
    const place = `x="${fixed(index * step)}" y="${fixed(base - height)}"`;
    const size = `width="${fixed(width)}" height="${fixed(height)}"`;
    const bar = `<rect ${place} ${size}><title>${escapeHtml(label)}</title></rect>`;
    if (!isLabelled || value === 0) return bar;
    return `${bar}<text class="value" x="${middle(index)}" y="${fixed(base - height - 4)}" text-anchor="middle">${escapeHtml(text)}</text>`;
  });
  const numbers = bars.length > 1 ? [0, bars.length - 1] : [0];
  const marks = numbers.map(
    (index) =>
      `<text x="${middle(index)}" y="${base + 14}" text-anchor="middle">${first + index}</text>`,
  );
  const most = `<text class="value" x="${WIDTH}" y="${TOP - 5}" text-anchor="end">↑ ${escapeHtml(highest.text)}</text>`;
  return `<figure>
      <figcaption>${escapeHtml(title)}</figcaption>
      <svg viewBox="-10 0 ${WIDTH + 20} ${base + BOTTOM}" preserveAspectRatio="xMinYMax meet" role="img" aria-label="${escapeHtml(describe(title, bars))}">
        <line x1="0" y1="${base}" x2="${WIDTH}" y2="${base}" />
        ${drawn.join('')}
        ${marks.join('')}
        ${isLabelled ? '' : most}
      </svg>
    </figure>`;
}

function describe(title: string, bars: readonly Bar[]): string {
  return `${title}: ${bars.map(({ text }) => text).join(', ')}`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
