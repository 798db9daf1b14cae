// Run as a program: node emitBytes.ts PATTERN TOTAL_BYTES WRITE_BYTES. Writes exactly these bytes to its terminal,
// without translation, and without echo of replies to accidental queries.
import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { patternBytes, type Pattern } from './patternBytes.ts';

const [pattern, total, writeSize] = process.argv.slice(2);
execFileSync('stty', ['-opost', '-echo'], { stdio: 'inherit' });
const size = Number(writeSize);
let block: Uint8Array = new Uint8Array();
for (let offset = 0; offset < Number(total);) {
  const length = Math.min(size, Number(total) - offset);
  if (block.length < length)
    block = patternBytes(pattern as Pattern, offset, Math.max(length, 1 << 20));
  for (let done = 0; done < length;) done += writeSync(1, block, done, length - done);
  block = block.subarray(length);
  offset += length;
}
