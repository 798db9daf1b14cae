import { brotliDecompressor } from '../../src/platform/node/files/brotli.ts';
import { FileSource } from '../../src/platform/node/files/fileSource.ts';
import { RecordingReader } from '../../src/recording/read/reader.ts';
import { frameAt } from '../../src/terminal/keyframes/frames.ts';
import { Random } from '../../test/support/random.ts';
import { TimelineThread } from '../../test/support/timelineThread.ts';
import { RECORDED_SIZE } from '../longRecording.ts';
import { LONG_BYTES, longSession } from '../longSession.ts';
import { costOf, percentile, timeMs, type Cost, type Row } from '../row.ts';

const SEEKS = 300;
const MAX_P95_MS = 50;
const MAX_OF_PLAYING = 1 / 50;
const MAX_OPEN_MS = 1000;

/** A seek in a timeline, up to the page, for a finished, repacked session with keyframes. */
export async function timelineRows(): Promise<Row[]> {
  const file = await longSession();
  const thread = new TimelineThread();
  const opening = await costOf(async () => {
    await thread.open(file);
    await thread.seek({ end: true });
  });
  const random = new Random(1);
  const costs: Cost[] = [];
  for (let index = 0; index < SEEKS; index++) {
    costs.push(await costOf(() => thread.seek({ byteOffset: random.below(LONG_BYTES) })));
  }
  await thread.end();
  const playMs = await playingMs(file);
  const times = costs.map(({ ms }) => ms);
  const p95 = percentile(times, 0.95);
  const cpuP95 = percentile(
    costs.map(({ cpuMs }) => cpuMs),
    0.95,
  );
  const share = p95 / playMs;
  return [
    {
      what: 'timeline of 100 MB: a seek, including the page, p95',
      measured: `${p95.toFixed(1)} ms (median ${percentile(times, 0.5).toFixed(1)}; processor time ${cpuP95.toFixed(1)}), 1/${Math.round(1 / share)} of playing`,
      budget: `≤ ${MAX_P95_MS} ms and 1/50 of playing`,
      isWithin: p95 <= MAX_P95_MS && share <= MAX_OF_PLAYING,
    },
    {
      what: 'timeline of 100 MB: opening, up to the last screen',
      measured: `${opening.ms.toFixed(0)} ms (processor time ${opening.cpuMs.toFixed(0)})`,
      budget: `≤ ${MAX_OPEN_MS} ms`,
      isWithin: opening.ms <= MAX_OPEN_MS,
    },
  ];
}

async function playingMs(file: string): Promise<number> {
  const source = await FileSource.open(file);
  const reader = await RecordingReader.open(source, brotliDecompressor);
  const target = { byteOffset: LONG_BYTES };
  const ms = await timeMs(async () =>
    (await frameAt({ source: reader, size: RECORDED_SIZE, target })).dispose(),
  );
  await source.close();
  return ms;
}
