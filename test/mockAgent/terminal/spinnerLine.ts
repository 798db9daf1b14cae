import { clip, render } from './styles.ts';

export const spinnerGlyphs = {
  star: ['·', '✢', '✶', '✻', '✽', '✻', '✶', '✢'],
  braille: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  line: ['-', '\\', '|', '/'],
} as const;

export interface SpinnerState {
  readonly label: string;
  readonly glyphs: readonly string[];
  readonly frame: number;
  readonly elapsedMs: number;
  readonly tokens: number;
}

/** The width of the highlight on each side. */
const GLOW = 2;

/** One frame, cut to one row, since `\r` can't redraw a wrapped line. */
export function spinnerLine(state: SpinnerState, columns: number): string {
  const { label, glyphs, frame, elapsedMs, tokens } = state;
  const lightAt = (frame % (label.length + 8)) - 2;
  const glyph = glyphs[frame % glyphs.length] ?? '';
  const from = Math.max(0, lightAt - GLOW);
  const to = Math.max(0, lightAt + GLOW + 1);
  const lit = `{{c75}}${label.slice(0, from)}{{c195}}${label.slice(from, to)}{{c75}}${label.slice(to)}…{{/}}`;
  const details = `(${Math.floor(elapsedMs / 1000)}s · ↓ ${tokens} tokens · esc to interrupt)`;
  return `\r${render(clip(`{{c75}}${glyph} ${lit} {{dim}}${details}{{/}}`, columns - 1))}\x1b[K`;
}
