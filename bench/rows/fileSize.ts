import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { JOIN_MS } from '../../src/host/sessionLog.ts';
import { brotliCompressor, brotliDecompressor } from '../../src/platform/node/files/brotli.ts';
import { GRAIN_NS } from '../../src/platform/node/systemClock.ts';
import { repack } from '../../src/recording/write/repack.ts';
import type { DataRecord } from '../../src/recording/format/records.ts';
import { RecordingWriter } from '../../src/recording/write/writer.ts';
import { FakeClock } from '../../test/support/fakeClock.ts';
import { Random } from '../../test/support/random.ts';
import { MemoryFile } from '../../test/support/recording/memoryFile.ts';
import type { Row } from '../row.ts';

const MAX_OF_CAST = 0.6;
const START_NS = 1_790_000_000_000_000_000n;
const JOIN_NS = BigInt(JOIN_MS) * 1_000_000n;
const fixtures = path.resolve(import.meta.dirname, '../../test/fixtures/pty');

interface Timing {
  readonly cols: number;
  readonly rows: number;
  readonly chunks: readonly (readonly [atMs: number, byteLength: number])[];
}

/**
 * The finished file, compared with asciinema's file of the same output (one event per read) after
 * `gzip -9`. The budget is for all agents together: for a small, mostly idle session, such as
 * Claude's, the output alone, perfectly compressed and without times, already reaches the limit.
 */
export async function fileSizeRows(): Promise<Row[]> {
  const names = (await readdir(fixtures)).filter((name) => name.endsWith('.bin'));
  const details: string[] = [];
  let ours = 0;
  let cast = 0;
  for (const name of names) {
    const session = await readSession(name);
    const recorded = await recordedLength(session);
    const peer = gzipSync(castOf(session), { level: 9 }).length;
    ours += recorded;
    cast += peer;
    details.push(`${name.replace('.bin', '')} ${(recorded / peer).toFixed(2)}`);
  }
  const ratio = ours / cast;
  return [
    {
      what: 'finished files of real agents, compared with `.cast` after `gzip -9`',
      measured: `${ratio.toFixed(2)} × (${ours} against ${cast} B; ${details.join(', ')})`,
      budget: `≤ ${MAX_OF_CAST} ×`,
      isWithin: ratio <= MAX_OF_CAST,
    },
  ];
}

interface RecordedOutput {
  readonly cols: number;
  readonly rows: number;
  readonly reads: readonly { readonly atNs: bigint; readonly bytes: Uint8Array }[];
}

/** The times in the fixtures are whole milliseconds; real ones are not, and cost space. */
async function readSession(name: string): Promise<RecordedOutput> {
  const bytes = await readFile(path.join(fixtures, name));
  const timing = JSON.parse(
    await readFile(path.join(fixtures, `${name}.timing.json`), 'utf8'),
  ) as Timing;
  const random = new Random(1);
  let offset = 0;
  const times = timing.chunks.map(
    ([atMs]) => BigInt(atMs) * 1_000_000n + BigInt(random.below(1e6)),
  );
  times.sort((a, b) => (a < b ? -1 : 1));
  const reads = timing.chunks.map(([, length], index) => {
    offset += length;
    return { atNs: START_NS + times[index]!, bytes: bytes.subarray(offset - length, offset) };
  });
  return { cols: timing.cols, rows: timing.rows, reads };
}

/** Joins, rounds, writes and repacks the records like the recorder. */
async function recordedLength({ cols, rows, reads }: RecordedOutput): Promise<number> {
  const live = new MemoryFile();
  const clock = new FakeClock();
  const writer = new RecordingWriter({
    sink: live,
    clock,
    compressor: brotliCompressor,
    quality: 4,
  });
  writer.append({ kind: 'resize', tsNs: grained(START_NS), cols, rows });
  for (const record of joinedReads(reads)) {
    await clock.advance(Math.max(0, Number(record.tsNs / 1_000_000n) - clock.nowMs));
    writer.append(record);
  }
  await writer.close();
  const finished = new MemoryFile();
  await repack({
    source: live,
    sink: finished,
    compressor: brotliCompressor,
    decompressor: brotliDecompressor,
  });
  return finished.bytes.length;
}

function joinedReads(reads: RecordedOutput['reads']): DataRecord[] {
  const records: DataRecord[] = [];
  let offset = 0;
  for (let index = 0; index < reads.length;) {
    const first = reads[index]!;
    const parts: Uint8Array[] = [];
    while (index < reads.length && reads[index]!.atNs - first.atNs < JOIN_NS)
      parts.push(reads[index++]!.bytes);
    const bytes = Buffer.concat(parts);
    records.push({ kind: 'data', tsNs: grained(first.atNs), startByteOffset: offset, bytes });
    offset += bytes.length;
  }
  return records;
}

function castOf({ cols, rows, reads }: RecordedOutput): string {
  const lines = [JSON.stringify({ version: 2, width: cols, height: rows })];
  const decoder = new TextDecoder();
  for (const { atNs, bytes } of reads) {
    const seconds = Number((Number(atNs - START_NS) / 1e9).toFixed(6)); // The precision of asciinema.
    lines.push(JSON.stringify([seconds, 'o', decoder.decode(bytes, { stream: true })]));
  }
  return `${lines.join('\n')}\n`;
}

function grained(tsNs: bigint): bigint {
  return tsNs - (tsNs % GRAIN_NS);
}
