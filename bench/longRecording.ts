import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressor } from '../src/platform/node/files/brotli.ts';
import { FileSink } from '../src/platform/node/files/fileSink.ts';
import { SystemClock } from '../src/platform/node/systemClock.ts';
import { RecordingWriter } from '../src/recording/write/writer.ts';
import { agentLikeFile } from './agentOutput.ts';

const cache = path.resolve(import.meta.dirname, '../.cache/bench');
const RECORD_BYTES = 8 * 1024;
const RECORD_INTERVAL_NS = 20_000_000n;
/** Longer recordings repeat agent-like output of this length. */
const INPUT_BYTES = 70_000_000;
export const RECORDED_SIZE = { cols: 120, rows: 40 };

/** A recording of agent-like output of this length, cached in `.cache/bench`. */
export async function longRecording(bytes: number): Promise<string> {
  const file = path.join(cache, `long-${bytes}.ahr`);
  if (await stat(file).catch(() => undefined)) return file;
  await mkdir(cache, { recursive: true });
  const input = await readFile(await agentLikeFile(Math.min(bytes, INPUT_BYTES)));
  const draft = `${file}.draft`;
  await rm(draft, { force: true });
  const sink = await FileSink.create(draft);
  const writer = new RecordingWriter({
    sink,
    clock: new SystemClock(),
    compressor: brotliCompressor,
    quality: 4,
  });
  let tsNs = 1_790_000_000_000_000_000n;
  writer.append({ kind: 'resize', tsNs, ...RECORDED_SIZE });
  for (let offset = 0; offset < bytes;) {
    const start = offset % input.length;
    const chunk = input.subarray(start, start + Math.min(RECORD_BYTES, bytes - offset));
    tsNs += RECORD_INTERVAL_NS;
    writer.append({ kind: 'data', tsNs, startByteOffset: offset, bytes: chunk });
    offset += chunk.length;
    if (writer.pendingBytes > 8 * 1024 * 1024) await writer.flush();
  }
  await writer.close();
  await sink.close();
  await rename(draft, file);
  return file;
}
