// Fails if files of `src` import each other in a cycle.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importCycles } from './importCycles.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const files = globSync('src/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
const sources = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const cycles = importCycles(sources);
for (const cycle of cycles) {
  console.error(
    `Import cycle, move what they share into a file of its own:\n  ${cycle.join('\n  → ')}`,
  );
}
process.exitCode = cycles.length === 0 ? 0 : 1;
