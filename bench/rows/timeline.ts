import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { brotliCompressor, brotliDecompressor } from '../../src/node/brotli.ts';
import { FileSink } from '../../src/node/fileSink.ts';
import { FileSource } from '../../src/node/fileSource.ts';
import { ThreadTransport } from '../../src/node/threadTransport.ts';
import { RecordingReader } from '../../src/recording/reader.ts';
import { repack } from '../../src/recording/repack.ts';
import { decodeState } from '../../src/replay/playbackWire.ts';
import { Channel } from '../../src/rpc/channel.ts';
import type {
  FrameParams,
  TimelineThreadClientProtocol,
  TimelineThreadProtocol,
} from '../../src/rpc/webviewProtocol.ts';
import { frameAt, makeKeyframes } from '../../src/terminal/frames.ts';
import { KeyframeWriter, recordingFingerprint } from '../../src/terminal/keyframeStore.ts';
import { Random } from '../../test/support/random.ts';
import { longRecording, RECORDED_SIZE } from '../longRecording.ts';
import { percentile, timeMs, type Row } from '../row.ts';

const BYTES = 100_000_000;
const SEEKS = 300;
const MAX_P95_MS = 50;
const MAX_OF_PLAYING = 1 / 50;
const MAX_OPEN_MS = 1000;
const WORKER = path.resolve(import.meta.dirname, '../../src/node/timeline/timelineWorker.ts');

/** What a timeline does when it seeks, up to the page: a finished session, packed anew, with the keyframes in their file. */
export async function timelineRows(): Promise<Row[]> {
  const file = await finishedSession();
  const worker = new Worker(WORKER);
  const channel = new Channel<TimelineThreadClientProtocol, TimelineThreadProtocol>(
    new ThreadTransport(worker),
    {},
    {
      extent: () => {},
      moments: () => {},
      hits: () => {},
      trouble: () => {},
      replaced: () => {},
      transcript: () => {},
    },
  );
  const seek = async (target: FrameParams) => {
    const { body, binary } = await channel.request('frame', target);
    return decodeState(body, binary);
  };
  const openMs = await timeMs(async () => {
    await channel.request('open', { file });
    await seek({ end: true });
  });
  const random = new Random(1);
  const times: number[] = [];
  for (let index = 0; index < SEEKS; index++) {
    times.push(await timeMs(() => seek({ byteOffset: random.below(BYTES) })));
  }
  await worker.terminate();
  const playMs = await playingMs(file);
  const p95 = percentile(times, 0.95);
  const share = p95 / playMs;
  return [
    {
      what: 'timeline of 100 MB: a seek, from the page and back, p95',
      measured: `${p95.toFixed(1)} ms (median ${percentile(times, 0.5).toFixed(1)}), 1/${Math.round(1 / share)} of playing`,
      budget: `≤ ${MAX_P95_MS} ms and 1/50 of playing`,
      isWithin: p95 <= MAX_P95_MS && share <= MAX_OF_PLAYING,
    },
    {
      what: 'timeline of 100 MB: from opening to its last screen',
      measured: `${openMs.toFixed(0)} ms`,
      budget: `≤ ${MAX_OPEN_MS} ms`,
      isWithin: openMs <= MAX_OPEN_MS,
    },
  ];
}

async function playingMs(file: string): Promise<number> {
  const source = await FileSource.open(file);
  const reader = await RecordingReader.open(source, brotliDecompressor);
  const target = { byteOffset: BYTES };
  const ms = await timeMs(async () =>
    (await frameAt({ source: reader, size: RECORDED_SIZE, target })).dispose(),
  );
  await source.close();
  return ms;
}

/** Made once and kept beside the recording that it is made of. */
async function finishedSession(): Promise<string> {
  const recording = await longRecording(BYTES);
  const folder = path.join(path.dirname(recording), `session-${BYTES}`);
  const file = path.join(folder, 'session.ahr');
  if (await stat(folder).catch(() => undefined)) return file;
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await packAnew(recording, path.join(draft, 'session.ahr'));
  await writeKeyframes(path.join(draft, 'session.ahr'), path.join(draft, 'session.keyframes'));
  await rename(draft, folder);
  return file;
}

async function packAnew(from: string, to: string): Promise<void> {
  const source = await FileSource.open(from);
  const sink = await FileSink.create(to);
  const [compressor, decompressor] = [brotliCompressor, brotliDecompressor];
  await repack({ source, sink, compressor, decompressor });
  await sink.close();
  await source.close();
}

async function writeKeyframes(recording: string, file: string): Promise<void> {
  const source = await FileSource.open(recording);
  const reader = await RecordingReader.open(source, brotliDecompressor);
  const sink = await FileSink.create(file);
  const { value: first } = await reader.records({ to: 1 }).next();
  const fingerprint = recordingFingerprint(RECORDED_SIZE, first ?? undefined);
  const writer = await KeyframeWriter.create(sink, fingerprint);
  for await (const keyframe of makeKeyframes(reader, RECORDED_SIZE)) await writer.append(keyframe);
  await sink.close();
  await source.close();
}
