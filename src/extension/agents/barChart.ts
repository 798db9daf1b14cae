export interface Bar {
  readonly value: number;
  /** Said when the pointer is on it, and by a screen reader. */
  readonly label: string;
  /** The value as people write it. */
  readonly text: string;
}

const WIDTH = 600;
const HEIGHT = 64;
const MAX_BAR_WIDTH = 28;
/** A value that is there has to be seen. */
const MIN_BAR_HEIGHT = 2;

/** A small chart as SVG; nothing when there is nothing to compare. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const highest = bars.reduce((a, b) => (b.value > a.value ? b : a), { value: 0, text: '' });
  if (highest.value === 0) return '';
  const step = Math.min(WIDTH / bars.length, MAX_BAR_WIDTH + 4);
  const width = Math.max(1, step - Math.min(4, step / 4));
  const rectangles = bars.map(({ value, label }, index) => {
    const height = value === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (value / highest.value) * HEIGHT);
    const place = `x="${fixed(index * step)}" y="${fixed(HEIGHT - height)}"`;
    const size = `width="${fixed(width)}" height="${fixed(height)}"`;
    return `<rect ${place} ${size}><title>${escapeHtml(label)}</title></rect>`;
  });
  const last = `<text x="${fixed((bars.length - 1) * step + width)}" y="${HEIGHT + 15}" text-anchor="end">${bars.length}</text>`;
  return `<figure>
      <figcaption>${escapeHtml(title)}</figcaption>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT + 20}" preserveAspectRatio="xMinYMax meet" role="img" aria-label="${escapeHtml(describe(title, bars))}">
        <line x1="0" y1="${HEIGHT}" x2="${WIDTH}" y2="${HEIGHT}" />
        ${rectangles.join('')}
        <text x="0" y="${HEIGHT + 15}">1</text>
        ${bars.length > 1 ? last : ''}
        <text x="${WIDTH}" y="${HEIGHT + 15}" text-anchor="end">max ${escapeHtml(highest.text)}</text>
      </svg>
    </figure>`;
}

function describe(title: string, bars: readonly Bar[]): string {
  return `${title}: ${bars.map(({ text }) => text).join(', ')}`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
