// Run by `npm run bench [name …]`: compares with other tools and prints a table of ratios.
import { btrfsSnapshotRows } from './rows/btrfsSnapshots.ts';
import { branchingRows } from './rows/branching.ts';
import { activationRows } from './rows/activation.ts';
import { exportingRows } from './rows/exporting.ts';
import { fileSizeRows } from './rows/fileSize.ts';
import { keyEchoRows } from './rows/keyEcho.ts';
import { recordCostRows } from './rows/recordCost.ts';
import { recordingRows } from './rows/recording.ts';
import { seekingRows } from './rows/seeking.ts';
import { sessionsRows } from './rows/sessions.ts';
import { snapshotsRows } from './rows/snapshots.ts';
import { timelineRows } from './rows/timeline.ts';
import type { Benchmark, Row } from './row.ts';

const benchmarks: Record<string, Benchmark> = {
  recording: recordingRows,
  recordCost: recordCostRows,
  keyEcho: keyEchoRows,
  fileSize: fileSizeRows,
  seeking: seekingRows,
  timeline: timelineRows,
  exporting: exportingRows,
  activation: activationRows,
  sessions: sessionsRows,
  snapshots: snapshotsRows,
  btrfsSnapshots: btrfsSnapshotRows,
  branching: branchingRows,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(
    `No benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.`,
  );
  process.exit(2);
}
const rows: Row[] = [];
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring ${name} …`);
  rows.push(...(await run()));
}
console.log('| what | measured | budget | |\n| --- | --- | --- | --- |');
for (const { what, measured, budget, isWithin } of rows) {
  console.log(`| ${what} | ${measured} | ${budget} | ${isWithin ? 'ok' : 'OVER'} |`);
}
process.exit(rows.every(({ isWithin }) => isWithin) ? 0 : 1);
