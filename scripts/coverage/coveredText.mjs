// Reads from V8's raw reports which characters of each source file ran. Node erases types in place,
// so offsets match the file. c8's report has only lines and blocks, which hides a `return` on the
// line of its condition.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param reports folder of V8's reports, one per process
 * @param folder only scripts below it
 * @returns by absolute path: 1 for every character that ran in at least one process
 */
export function readCoveredText(reports, folder) {
  const files = new Map();
  for (const report of readdirSync(reports).filter((name) => name.endsWith('.json'))) {
    const { result } = JSON.parse(readFileSync(path.join(reports, report), 'utf8'));
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      const file = fileURLToPath(url);
      if (!file.startsWith(folder + path.sep)) continue;
      files.set(file, union(files.get(file), coveredByProcess(functions)));
    }
  }
  return files;
}

/** Ranges come outermost first, so an inner one overrides the count of those around it. */
export function coveredByProcess(functions) {
  const ranges = functions.flatMap((one) => one.ranges);
  const covered = new Uint8Array(Math.max(0, ...ranges.map((range) => range.endOffset)));
  for (const { startOffset, endOffset, count } of ranges)
    covered.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return covered;
}

function union(known, added) {
  if (known === undefined) return added;
  for (let at = 0; at < known.length; at++) known[at] |= added[at];
  return known;
}
