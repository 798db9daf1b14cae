import { createHash } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOffsets, withOtherWords } from './varyText.ts';

/** A piece of output: its time in milliseconds since the start, and its length in bytes. */
export type TimedChunk = readonly [atMs: number, byteLength: number];

interface Recording {
  readonly bytes: Uint8Array;
  readonly textOffsets: Uint32Array;
  readonly chunks: readonly TimedChunk[];
}

const fixtures = fileURLToPath(new URL('../test/fixtures/pty/', import.meta.url));
const cache = fileURLToPath(new URL('../.cache/bench/', import.meta.url));

/**
 * A file of `bytes` bytes like the output of real agents: the recordings in `test/fixtures/pty`,
 * repeated with different words each time. The content is always the same; the file is cached in
 * `.cache/bench`.
 *
 * The length hardly helps a compressor, as with a real session: Brotli 4 compresses 70 MB to 1/46
 * as a whole and to 1/40 in blocks of 1 MiB, and single recordings to 1/40 both ways. (Brotli 9
 * does find the frame that the recordings share: 1/65 against 1/48.)
 * @returns its path
 */
export async function agentLikeFile(bytes: number): Promise<string> {
  const recordings = await readRecordings();
  const file = path.join(cache, `agent-like-${fingerprint(recordings)}-${bytes}.bin`);
  const isMade = await stat(file).then(
    ({ size }) => size === bytes,
    () => false,
  );
  if (!isMade) await makeFile(file, recordings, bytes);
  return file;
}

/** The pieces in which the content of `agentLikeFile(bytes)` arrived. */
export async function agentLikeChunks(bytes: number): Promise<TimedChunk[]> {
  const recordings = await readRecordings();
  const result: TimedChunk[] = [];
  let startMs = 0;
  let left = bytes;
  for (let turn = 0; left > 0; turn++) {
    const { chunks } = recordingOf(recordings, turn);
    for (const [atMs, length] of chunks) {
      if (left <= 0) break;
      result.push([startMs + atMs, Math.min(length, left)]);
      left -= length;
    }
    startMs += chunks.at(-1)?.[0] ?? 0;
  }
  return result;
}

async function makeFile(file: string, recordings: Recording[], bytes: number): Promise<void> {
  await mkdir(cache, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  const handle = await open(unfinished, 'w');
  let left = bytes;
  for (let turn = 0; left > 0; turn++) {
    const { bytes: original, textOffsets } = recordingOf(recordings, turn);
    // In the first round the recordings are unchanged.
    const varied =
      turn < recordings.length ? original : withOtherWords(original, textOffsets, turn);
    await handle.write(varied.subarray(0, left));
    left -= varied.length;
  }
  await handle.close();
  // Only a complete file gets the final name.
  await rename(unfinished, file);
}

function recordingOf(recordings: readonly Recording[], turn: number): Recording {
  const recording = recordings[turn % recordings.length];
  if (!recording) throw new Error(`There is no recording in ${fixtures}.`);
  return recording;
}

async function readRecordings(): Promise<Recording[]> {
  const names = (await readdir(fixtures)).filter((name) => name.endsWith('.bin')).sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(path.join(fixtures, name));
      const timing = await readFile(path.join(fixtures, `${name}.timing.json`), 'utf8');
      const { chunks } = JSON.parse(timing) as { chunks: TimedChunk[] };
      return { bytes, textOffsets: textOffsets(bytes), chunks };
    }),
  );
}

/** Identifies the content, so that the cache is not used for changed recordings. */
function fingerprint(recordings: readonly Recording[]): string {
  const hash = createHash('sha256');
  for (const { bytes } of recordings) hash.update(bytes);
  return hash.digest('hex').slice(0, 8);
}
