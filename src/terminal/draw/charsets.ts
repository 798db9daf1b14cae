import type { Charset } from '../screen/screenTypes.ts';
import { XtermTerminal } from '../screen/xtermInternals.ts';

const DESIGNATORS = '0A4CRQKYEZH=';

let designators: Map<Charset, string> | undefined;

/**
 * The final character of the sequence that designates a set (`ESC ( X`); `B` (US) for xterm's
 * default.
 */
export function designatorOf(charset: Charset | undefined): string {
  if (!charset) return 'B';
  designators ??= findDesignators();
  const designator = designators.get(charset);
  // Untested: xterm is pinned and all its sets have one; the recording keeps the bytes.
  if (designator === undefined)
    throw new Error('xterm uses a character set that it has no designator for');
  return designator;
}

/** xterm does not export its sets: selects each one in a terminal. */
function findDesignators(): Map<Charset, string> {
  const found = new Map<Charset, string>();
  const probe = new XtermTerminal({ cols: 2, rows: 1 });
  for (const designator of DESIGNATORS) {
    probe.parse(new TextEncoder().encode(`\x1b(${designator}`));
    const charset = probe.designatedCharset(0);
    if (charset) found.set(charset, designator);
  }
  probe.dispose();
  return found;
}
