import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  brotliCompressor,
  brotliDecompressor,
} from '../../../../../src/platform/node/files/brotli.ts';
import { FileSink } from '../../../../../src/platform/node/files/fileSink.ts';
import { FileSource } from '../../../../../src/platform/node/files/fileSource.ts';
import { SystemClock } from '../../../../../src/platform/node/systemClock.ts';
import { RecordingReader } from '../../../../../src/recording/read/reader.ts';
import type { AhrRecord } from '../../../../../src/recording/format/records.ts';
import { repack } from '../../../../../src/recording/write/repack.ts';
import { validateRecording } from '../../../../../src/recording/read/validator.ts';
import { RecordingWriter } from '../../../../../src/recording/write/writer.ts';
import { output, plain } from '../../../../support/recording/recordings.ts';

describe('FileSource', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'ah-source-'));
    file = path.join(folder, 'a.ahr');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('reads ranges, shorter only at the end', async () => {
    writeFileSync(file, '0123456789');
    const source = await FileSource.open(file);
    const text = async (offset: number, length: number): Promise<string> =>
      Buffer.from(await source.read(offset, length)).toString();
    assert.equal(await source.size(), 10);
    assert.equal(await text(3, 4), '3456');
    assert.equal(await text(8, 4), '89');
    assert.equal(await text(10, 4), '');
    assert.equal(await text(99, 4), '');
    assert.equal(await text(0, 0), '');
    await source.close();
  });

  it('sees its file grow, also after another file has replaced it', async () => {
    writeFileSync(file, 'old');
    const source = await FileSource.open(file);
    appendFileSync(file, '+');
    assert.equal(await source.size(), 4);
    writeFileSync(`${file}.new`, 'something else');
    renameSync(`${file}.new`, file);
    assert.equal(await source.size(), 4);
    assert.equal(Buffer.from(await source.read(0, 99)).toString(), 'old+');
    await source.close();
  });

  it('reports the path of a missing file', async () => {
    await assert.rejects(FileSource.open(file), { code: 'ENOENT' });
  });

  it('works with the other ports: a recording is written, read while it grows, and repacked', async () => {
    const records = output(3_000_000, 16_384);
    const sink = await FileSink.create(file);
    const clock = new SystemClock();
    const writer = new RecordingWriter({ sink, clock, compressor: brotliCompressor, quality: 4 });
    const source = await FileSource.open(file);
    const reader = await RecordingReader.open(source, brotliDecompressor);
    for (const record of records.slice(0, 100)) writer.append(record);
    await writer.flush();
    assert.equal(await reader.refresh(), 'grown');
    assert.equal(reader.recordCount, 100);
    for (const record of records.slice(100)) writer.append(record);
    await writer.close();
    await sink.close();
    assert.equal(await reader.refresh(), 'grown');
    assert.equal(reader.isFinished, true);
    const repackedSink = await FileSink.create(`${file}.new`);
    const ports = { compressor: brotliCompressor, decompressor: brotliDecompressor };
    await repack({ source, sink: repackedSink, ...ports, plan: { quality: 5 } });
    await repackedSink.close();
    const repacked = await FileSource.open(`${file}.new`);
    assert.equal((await validateRecording(repacked, brotliDecompressor)).ok, true);
    const found: AhrRecord[] = [];
    const again = await RecordingReader.open(repacked, brotliDecompressor);
    for await (const record of again.records()) found.push(record);
    assert.deepEqual(plain(found), plain(records));
    await repacked.close();
    await source.close();
  });
});
