import { brotliDecompressor } from '../../src/platform/node/files/brotli.ts';
import { FileSource } from '../../src/platform/node/files/fileSource.ts';
import { RecordingReader } from '../../src/recording/read/reader.ts';
import { frameAt } from '../../src/terminal/keyframes/frames.ts';
import { makeKeyframes } from '../../test/support/terminal/makeKeyframes.ts';
import { MemoryKeyframes } from '../../src/terminal/keyframes/keyframeStore.ts';
import { Random } from '../../test/support/random.ts';
import { longRecording, RECORDED_SIZE } from '../longRecording.ts';
import { costOf, percentile, timeMs, type Cost, type Row } from '../row.ts';

const BYTES = 100_000_000;
const SEEKS = 300;
const MAX_P95_MS = 50;
const MAX_OF_PLAYING = 1 / 50;

/** Shows random moments of a long recording, compared with playing it from the start. */
export async function seekingRows(): Promise<Row[]> {
  const source = await FileSource.open(await longRecording(BYTES));
  const reader = await RecordingReader.open(source, brotliDecompressor);
  const keyframes = new MemoryKeyframes();
  for await (const keyframe of makeKeyframes(reader, RECORDED_SIZE)) keyframes.append(keyframe);
  const playMs = await timeMs(() => seek(reader, BYTES));
  const random = new Random(1);
  const costs: Cost[] = [];
  for (let index = 0; index < SEEKS; index++) {
    costs.push(await costOf(() => seek(reader, random.below(BYTES), keyframes)));
  }
  await source.close();
  const times = costs.map(({ ms }) => ms);
  const p95 = percentile(times, 0.95);
  const cpuP95 = percentile(
    costs.map(({ cpuMs }) => cpuMs),
    0.95,
  );
  const share = p95 / playMs;
  return [
    {
      what: 'seek to a random moment of 100 MB, p95',
      measured: `${p95.toFixed(1)} ms (median ${percentile(times, 0.5).toFixed(1)}; processor time ${cpuP95.toFixed(1)}), 1/${Math.round(1 / share)} of playing`,
      budget: `≤ ${MAX_P95_MS} ms and 1/50 of playing`,
      isWithin: p95 <= MAX_P95_MS && share <= MAX_OF_PLAYING,
    },
  ];
}

async function seek(
  source: RecordingReader,
  byteOffset: number,
  keyframes?: MemoryKeyframes,
): Promise<void> {
  const model = await frameAt({
    source,
    size: RECORDED_SIZE,
    target: { byteOffset },
    ...(keyframes && { keyframes }),
  });
  model.dispose();
}
