import type { Charset } from '../screen/screenTypes.ts';
import { XtermTerminal } from '../screen/xtermInternals.ts';

const DESIGNATORS = '0A4CRQKYEZH=';

let designators: Map<Charset, string> | undefined;

/**
 * The final character of the sequence that designates a character set (`ESC ( X`); `B` (US) for
 * xterm's default set.
 */
export function designatorOf(charset: Charset | undefined): string {
  if (!charset) return 'B';
  designators ??= findDesignators();
  const designator = designators.get(charset);
  // Untested: the version of xterm is pinned, and all its sets have a designator. Even on this
  // error, the recording keeps the bytes.
  if (designator === undefined)
    throw new Error('xterm selected a character set that no sequence designates');
  return designator;
}

/**
 * xterm does not export its character sets, so this selects each one in a terminal and reads it.
 */
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
