import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { UnicodeVersion } from '../../../src/base/unicodeVersion.ts';

export const GOLDEN_WIDTHS = path.resolve(
  import.meta.dirname,
  '../../fixtures/golden/terminalWidths.json',
);

/** What VS Code's terminal answered to `ESC[6n` after each of `widthSequences()`, minus one. */
export function goldenWidths(): Readonly<Record<UnicodeVersion, readonly number[]>> {
  return JSON.parse(readFileSync(GOLDEN_WIDTHS, 'utf8')) as Record<UnicodeVersion, number[]>;
}

/** A readable comparison: each sequence with its code points and width. */
export function labelled(
  sequences: readonly string[],
  widths: readonly (number | undefined)[],
): string[] {
  return sequences.map((sequence, index) => {
    const points = [...sequence].map((each) => each.codePointAt(0)!.toString(16)).join(' ');
    return `${sequence} (${points}): ${widths[index]}`;
  });
}
