// Prints the coverage of each folder and the error paths that no unit test ran, then fails if one
// of them has no reason.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readCoveredText } from './coveredText.mjs';
import { hasCode, uncoveredGuards } from './uncoveredGuards.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const [results, ...folders] = process.argv.slice(2);
const summaries = JSON.parse(readFileSync(path.join(results, 'coverage-summary.json'), 'utf8'));
const covered = readCoveredText(path.join(results, 'raw'), path.join(root, 'src'));

const explained = [];
const unexplained = [];
const table = [];
for (const folder of folders) {
  const totals = {};
  const counts = { explained: 0, unexplained: 0 };
  for (const file of globSync(`src/${folder}/**/*.ts`, {
    cwd: root,
    exclude: ['src/*/node/**'],
  }).sort()) {
    const absolute = path.join(root, file);
    const text = readFileSync(absolute, 'utf8');
    if (!hasCode(file, text)) continue;
    addTotals(totals, summaries[absolute]);
    for (const guard of uncoveredGuards(file, text, covered.get(absolute) ?? new Uint8Array())) {
      (guard.reason === undefined ? unexplained : explained).push({ file, ...guard });
      counts[guard.reason === undefined ? 'unexplained' : 'explained']++;
    }
  }
  table.push({ folder: `src/${folder}`, ...percentages(totals), ...counts });
}

printGuards('Explained', explained);
printGuards('Unexplained', unexplained);
console.table(table);
if (unexplained.length > 0) {
  console.error(
    'Test these error paths, or say in a comment "// Untested: …" why they lose no data.',
  );
  process.exitCode = 1;
}

function addTotals(totals, summary) {
  for (const kind of ['lines', 'branches', 'functions']) {
    totals[kind] ??= { total: 0, covered: 0 };
    totals[kind].total += summary[kind].total;
    totals[kind].covered += summary[kind].covered;
  }
}

function percentages(totals) {
  return Object.fromEntries(
    Object.entries(totals).map(([kind, { total, covered: ran }]) => [
      `${kind} %`,
      Number(((100 * ran) / total).toFixed(1)),
    ]),
  );
}

function printGuards(title, guards) {
  console.log(`\n${title}: ${guards.length}`);
  for (const { file, line, kind, source, reason } of guards) {
    console.log(`${file}:${line}  ${kind}  ${source}`);
    if (reason !== undefined) console.log(`    ${reason}`);
  }
}
