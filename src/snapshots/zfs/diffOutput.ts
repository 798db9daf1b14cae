import { pathFromBytes } from '../common/pathBytes.ts';
import type { TouchedPath } from '../volume/listing.ts';
import { relativeTo } from '../common/posixPath.ts';

const RENAMED = 'R';

/**
 * Lists the paths that `zfs diff -FH` names: lines of `CHANGE TYPE PATH [NEW PATH]` with tabs;
 * paths are absolute, with special characters as a backslash and four octal digits. Returns
 * undefined for unknown output.
 */
export function parseDiffOutput(text: string, mountPoint: string): TouchedPath[] | undefined {
  const touched: TouchedPath[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [change, , ...paths] = line.split('\t');
    // A renamed folder moves its content, which is not listed.
    const isWholeTree = change === RENAMED;
    const names = paths.slice(0, isWholeTree ? 2 : 1);
    if (names.length === 0) return undefined;
    for (const name of names) {
      const path = relativeTo(mountPoint, unescaped(name));
      if (path === undefined) return undefined;
      if (path !== '') touched.push({ path, isWholeTree });
    }
  }
  return touched;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes: number[] = [];
  for (const [part, octal] of text.matchAll(/\\([0-7]{4})|[^\\]/g)) {
    bytes.push(octal === undefined ? part.charCodeAt(0) : Number.parseInt(octal, 8));
  }
  return pathFromBytes(new Uint8Array(bytes));
}
