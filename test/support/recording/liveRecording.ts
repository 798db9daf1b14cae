import { brotliCompressor } from '../../../src/platform/node/files/brotli.ts';
import { FileSink } from '../../../src/platform/node/files/fileSink.ts';
import { SystemClock } from '../../../src/platform/node/systemClock.ts';
import type { AhrRecord } from '../../../src/recording/format/records.ts';
import { RecordingWriter } from '../../../src/recording/write/writer.ts';

/** Starts a recording that grows while a reader follows it. */
export async function startLiveRecording(file: string, records: readonly AhrRecord[]) {
  const sink = await FileSink.create(file);
  const clock = new SystemClock();
  const writer = new RecordingWriter({ sink, compressor: brotliCompressor, clock, quality: 4 });
  return {
    /** Writes the records up to this number. */
    grow: async (count: number) => {
      for (const record of records.slice(writer.recordCount, count)) writer.append(record);
      await writer.flush();
    },
    close: async () => {
      await writer.close();
      await sink.close();
    },
  };
}
