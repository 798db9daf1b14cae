// Changes the code in small ways and counts the changes (mutants) that a unit test detects; see
// docs/testing/mutants.md. `npm run test:mutants -- src/recording/read/reader.ts` mutates one file.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installTool } from '../installTool.mjs';
import { node } from '../steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
// Each mutant would run the slow tests again.
process.env.AH_TIER = 'quick';
const files = process.argv.slice(2);

/** Percentage of the mutants that tests must detect in each area. */
const MIN_SCORE = 85;
const AREAS = ['src/recording/', 'src/scrub/', 'src/snapshots/'];

const tool = installTool(path.join(root, 'scripts/mutants'), 'mutants');
node([
  path.join(tool, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
  'run',
  'scripts/mutants/stryker.config.mjs',
  ...(files.length > 0 ? ['--mutate', files.join(',')] : []),
]);

const report = JSON.parse(readFileSync(path.join(root, '.cache/mutants/report.json'), 'utf8'));
const mutants = Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
  mutants.map((mutant) => ({ ...mutant, file, source })),
);

for (const { file, source, location, replacement, status } of mutants) {
  if (status !== 'Survived' && status !== 'NoCoverage') continue;
  const before = oneLine(textAt(source, location));
  const place = `${file}:${location.start.line}:${location.start.column}`;
  console.log(`${place} ${status}\n  - ${before}\n  + ${oneLine(replacement)}`);
}
const fileNames = [...new Set(mutants.map(({ file }) => file))];
printTable(fileNames.map((file) => [file, mutants.filter((mutant) => mutant.file === file)]));
const areas = AREAS.map((area) => [area, mutants.filter(({ file }) => file.startsWith(area))]);
printTable(areas.filter(([, inArea]) => inArea.length > 0));
if (areas.some(([, inArea]) => scoreOf(inArea) < MIN_SCORE)) {
  console.error(`Tests must detect ${MIN_SCORE} % of the mutants in each area.`);
  process.exitCode = 1;
}

/** @param rows pairs of a name and its mutants */
function printTable(rows) {
  console.log('\n| | score | killed | timed out | survived | not covered |');
  console.log('| --- | --: | --: | --: | --: | --: |');
  for (const [name, ofName] of rows) {
    const counts = ['Killed', 'Timeout', 'Survived', 'NoCoverage'].map((each) =>
      countOf(ofName, each),
    );
    console.log(`| \`${name}\` | ${scoreOf(ofName).toFixed(1)} % | ${counts.join(' | ')} |`);
  }
}

function scoreOf(some) {
  const noticed = countOf(some, 'Killed') + countOf(some, 'Timeout');
  const all = noticed + countOf(some, 'Survived') + countOf(some, 'NoCoverage');
  return all === 0 ? 100 : (100 * noticed) / all;
}

function countOf(some, status) {
  return some.filter((mutant) => mutant.status === status).length;
}

/** Lines and columns in the report start at 1. */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines.push(lines.pop().slice(0, end.column - 1));
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

function oneLine(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
