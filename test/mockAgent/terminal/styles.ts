/** Style names of the markup `{{bold green}}text{{/}}`, and their SGR codes. */
const attributes: Record<string, number> = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  inverse: 7,
  strike: 9,
};
const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

const TAG = /\{\{([a-z0-9#/ -]+)\}\}/g;

function colourCodes(name: string, background: boolean): string | undefined {
  const base = background ? 40 : 30;
  if (name === 'gray') return String(base + 60);
  const bright = name.startsWith('bright-');
  const index = colours.indexOf(bright ? name.slice('bright-'.length) : name);
  if (index >= 0) return String(base + (bright ? 60 : 0) + index);
  const palette = /^c(\d{1,3})$/.exec(name)?.[1];
  if (palette !== undefined && Number(palette) < 256) return `${base + 8};5;${palette}`;
  const rgb = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(name);
  if (!rgb) return undefined;
  const [red, green, blue] = rgb.slice(1).map((part) => Number.parseInt(part, 16));
  return `${base + 8};2;${red};${green};${blue}`;
}

function styleCode(name: string): string | undefined {
  const attribute = attributes[name];
  if (attribute !== undefined) return String(attribute);
  return name.startsWith('on-')
    ? colourCodes(name.slice('on-'.length), true)
    : colourCodes(name, false);
}

/** The first style name in `markup` that does not exist. */
export function unknownStyle(markup: string): string | undefined {
  for (const [, names = ''] of markup.matchAll(TAG)) {
    if (names === '/') continue;
    const unknown = names.split(' ').find((name) => styleCode(name) === undefined);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

/** Converts markup to escape sequences. Styles add up until `{{/}}`. */
export function render(markup: string): string {
  return markup.replace(TAG, (_tag, names: string) => {
    if (names === '/') return '\x1b[0m';
    return `\x1b[${names.split(' ').map(styleCode).join(';')}m`;
  });
}

/** Styles plain text; braces in it are not markup. */
export function styled(names: string, text: string): string {
  return `${render(`{{${names}}}`)}${text}\x1b[0m`;
}

/** The width of `markup` in columns, with one per character. */
export function visibleLength(markup: string): number {
  return [...markup.replace(TAG, '')].length;
}

/** The start of `markup` that fits into `columns`, with later tags, so that styles end. */
export function clip(markup: string, columns: number): string {
  let left = columns;
  return markup
    .split(/(\{\{[a-z0-9#/ -]+\}\})/)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const kept = [...part].slice(0, left);
      left -= kept.length;
      return kept.join('');
    })
    .join('');
}
