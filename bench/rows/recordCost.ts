import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SessionLog } from '../../src/host/sessionLog.ts';
import { brotliCompressor } from '../../src/platform/node/files/brotli.ts';
import { FileSink } from '../../src/platform/node/files/fileSink.ts';
import { SystemClock } from '../../src/platform/node/systemClock.ts';
import { RecordingWriter } from '../../src/recording/write/writer.ts';
import { agentLikeFile } from '../agentOutput.ts';
import { percentile, type Row } from '../row.ts';

const BYTES = 70_000_000;
const RECORD_BYTES = 16 * 1024;
const MAX_P99_MS = 1;

/** The recorder's time for a piece of output: copying it, logging it, passing it to the writer. */
export async function recordCostRows(): Promise<Row[]> {
  const input = await readFile(await agentLikeFile(BYTES));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ah-bench-'));
  const sink = await FileSink.create(path.join(folder, 'bench.ahr'));
  const clock = new SystemClock();
  const writer = new RecordingWriter({ sink, clock, compressor: brotliCompressor, quality: 4 });
  const log = new SessionLog(writer, () =>
    Promise.reject(new Error('this row reads nothing back')),
  );
  const costs: number[] = [];
  for (let offset = 0; offset + RECORD_BYTES <= input.length; offset += RECORD_BYTES) {
    const start = performance.now();
    log.appendOutput(clock.nowNs(), input.slice(offset, offset + RECORD_BYTES));
    costs.push(performance.now() - start);
    // Lets the writer write blocks, as between two reads.
    if (writer.pendingBytes > 4 * 1024 * 1024) await writer.flush();
    else await new Promise((resolve) => setImmediate(resolve));
  }
  log.seal();
  await writer.close();
  await sink.close();
  await rm(folder, { recursive: true });
  const p99 = percentile(costs, 0.99);
  return [
    {
      what: "the recorder's own time per 16 KiB record, p99",
      measured: `${p99.toFixed(3)} ms (median ${percentile(costs, 0.5).toFixed(3)} ms)`,
      budget: `< ${MAX_P99_MS} ms`,
      isWithin: p99 < MAX_P99_MS,
    },
  ];
}
