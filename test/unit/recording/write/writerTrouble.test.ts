import assert from 'node:assert/strict';
import type { Compressor } from '../../../../src/recording/format/ports.ts';
import { RecordingReader } from '../../../../src/recording/read/reader.ts';
import { RecordingWriter, type WriterOptions } from '../../../../src/recording/write/writer.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock, settle } from '../../../support/fakeClock.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { output, plain, readAll } from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';

function setUp(options: Partial<WriterOptions> = {}) {
  const clock = new FakeClock();
  const file = new MemoryFile();
  const writer = new RecordingWriter({
    sink: file,
    compressor: syncBrotli,
    clock,
    quality: 4,
    ...options,
  });
  const troubles: (string | undefined)[] = [];
  writer.onDidChangeTrouble((trouble) => troubles.push(trouble?.message));
  return { clock, file, writer, troubles };
}

const noSpace = 'The recording cannot be saved: no space left on device';

describe('RecordingWriter with a failing sink', () => {
  it('keeps everything, tries again, and reports failure and recovery once', async () => {
    const { clock, file, writer, troubles } = setUp();
    const records = output(1000, 10);
    file.failAppend = () => 0;
    for (const record of records.slice(0, 50)) writer.append(record);
    await clock.advance(1800);
    assert.deepEqual(troubles, [noSpace]);
    assert.equal(file.appends, 4, 'at 200, 700, 1200 and 1700 ms');
    for (const record of records.slice(50)) writer.append(record);
    file.failAppend = () => undefined;
    await clock.advance(500);
    assert.deepEqual(troubles, [noSpace, undefined]);
    await writer.close();
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('leaves no part of a block behind', async () => {
    for (const part of [1, 43, 44, 60]) {
      const { clock, file, writer } = setUp();
      const records = output(600, 100);
      for (const record of records.slice(0, 3)) writer.append(record);
      await writer.flush();
      const goodLength = file.bytes.length;
      file.failAppend = () => part;
      for (const record of records.slice(3)) writer.append(record);
      await clock.advance(300);
      assert.equal(file.bytes.length, goodLength, 'cut at once');
      file.failAppend = () => undefined;
      await clock.advance(500);
      await writer.close();
      assert.deepEqual(await readAll(file), plain(records));
    }
  });

  it('truncates the file only after a failure', async () => {
    const { clock, file, writer } = setUp();
    const cuts: number[] = [];
    const truncate = file.truncate.bind(file);
    file.truncate = (length) => {
      cuts.push(length);
      return truncate(length);
    };
    const [first, second, third] = output(30, 10);
    assert.ok(first && second && third);
    writer.append(first);
    await writer.flush();
    const goodLength = file.bytes.length;
    writer.append(second);
    file.failAppend = () => 10;
    await clock.advance(200);
    file.failAppend = () => undefined;
    await clock.advance(500);
    writer.append(third);
    await writer.close();
    assert.deepEqual(cuts, [goodLength]);
  });

  it('truncates before it writes again if truncating failed too', async () => {
    const { clock, file, writer } = setUp();
    const records = output(100, 10);
    for (const record of records) writer.append(record);
    file.failAppend = () => 10;
    file.failTruncate = true;
    await clock.advance(200);
    assert.equal(file.bytes.length, 10);
    file.failAppend = () => undefined;
    await clock.advance(500);
    assert.equal(file.bytes.length, 10, 'nothing is written behind a torn block');
    file.failTruncate = false;
    await clock.advance(500);
    await writer.close();
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('makes flush and close wait until the sink works again', async () => {
    const { clock, file, writer } = setUp();
    const records = output(100, 10);
    file.failAppend = () => 0;
    for (const record of records) writer.append(record);
    const done: string[] = [];
    const flushed = writer.flush().then(() => done.push('flush'));
    const closed = writer.close().then(() => done.push('close'));
    await clock.advance(5000);
    assert.deepEqual(done, []);
    file.failAppend = () => undefined;
    await clock.advance(500);
    await Promise.all([flushed, closed]);
    assert.deepEqual(done, ['flush', 'close']);
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('waits for the retry delay between attempts', async () => {
    const { clock, file, writer } = setUp({ retryDelayMs: 50 });
    file.failAppend = () => 0;
    for (const record of output(10, 10)) writer.append(record);
    await clock.advance(249);
    assert.equal(file.appends, 1);
    await clock.advance(1);
    assert.equal(file.appends, 2);
    await clock.advance(50);
    assert.equal(file.appends, 3);
  });

  it('reports a second failure', async () => {
    const { clock, file, writer, troubles } = setUp();
    for (const record of output(30, 10)) {
      file.failAppend = () => 0;
      writer.append(record);
      await clock.advance(300);
      file.failAppend = () => undefined;
      await clock.advance(500);
    }
    assert.deepEqual(troubles, [noSpace, undefined, noSpace, undefined, noSpace, undefined]);
  });

  it('treats a failing sync like a failing write', async () => {
    const { clock, file, writer, troubles } = setUp();
    file.failSync = true;
    for (const record of output(100, 10)) writer.append(record);
    await clock.advance(1200);
    assert.deepEqual(troubles, ['The recording cannot be saved: sync failed']);
    const flushed = writer.flush();
    file.failSync = false;
    await clock.advance(500);
    await flushed;
    assert.equal(troubles.length, 2);
    assert.equal(file.syncedLength, file.bytes.length);
  });

  it('reports one failure if writing and syncing both fail', async () => {
    const { clock, file, writer, troubles } = setUp();
    const [first, second] = output(20, 10);
    assert.ok(first && second);
    writer.append(first);
    await clock.advance(200);
    file.failSync = true;
    file.failAppend = () => 0;
    writer.append(second);
    await clock.advance(3000);
    assert.equal(troubles.length, 1);
    file.failAppend = () => undefined;
    await clock.advance(500);
    assert.equal(troubles.length, 1, 'syncing still fails');
    file.failSync = false;
    await clock.advance(500);
    assert.equal(troubles.length, 2);
  });

  it('compresses again what could not be compressed', async () => {
    let failures = 2;
    const compressor: Compressor = {
      compress: (bytes, quality) =>
        failures-- > 0
          ? Promise.reject(new Error('out of memory'))
          : syncBrotli.compress(bytes, quality),
    };
    const { clock, file, writer, troubles } = setUp({ compressor });
    const records = output(100, 10);
    for (const record of records) writer.append(record);
    const closed = writer.close();
    await clock.advance(1000);
    await closed;
    assert.deepEqual(troubles, ['The recording cannot be saved: out of memory', undefined]);
    assert.deepEqual(await readAll(file), plain(records));
  });
});

describe('RecordingWriter with a slow sink', () => {
  it('keeps small blocks together while it waits', async () => {
    const { clock, file, writer } = setUp();
    const gate = deferred();
    file.gate = gate.promise;
    const records = output(3000, 10);
    for (const record of records) {
      writer.append(record);
      await clock.advance(200);
    }
    gate.resolve();
    await writer.close();
    const reader = await RecordingReader.open(file, syncBrotli);
    assert.ok(reader.blocks.length <= 4, `${reader.blocks.length} blocks for 300 ages`);
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('lets one block wait behind the one that is written, and fills the next', async () => {
    const { clock, file, writer } = setUp();
    const gate = deferred();
    file.gate = gate.promise;
    for (const record of output(50, 10)) {
      writer.append(record);
      await clock.advance(200);
    }
    gate.resolve();
    await writer.close();
    const { blocks } = await RecordingReader.open(file, syncBrotli);
    assert.deepEqual(
      blocks.map(({ recordCount }) => recordCount),
      [1, 1, 3],
    );
  });

  it('writes a due block as soon as the sink is ready', async () => {
    const { clock, file, writer } = setUp();
    const gate = deferred();
    file.gate = gate.promise;
    const records = output(50, 10);
    for (const record of records) {
      writer.append(record);
      await clock.advance(200);
    }
    gate.resolve();
    await settle();
    assert.equal(writer.pendingBytes, 0);
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('syncs a second after a block is written, however many follow', async () => {
    const { clock, file, writer } = setUp();
    const [first, second] = output(20, 10);
    assert.ok(first && second);
    writer.append(first);
    await clock.advance(700);
    writer.append(second);
    await clock.advance(499);
    assert.deepEqual([file.appends, file.syncs], [2, 0]);
    await clock.advance(1);
    assert.deepEqual([file.syncs, file.syncedLength], [1, file.bytes.length]);
    await clock.advance(10_000);
    assert.equal(file.syncs, 1, 'nothing was written since');
    assert.equal(clock.pendingTimers, 0);
  });

  it('needs no sync of its own after a flush', async () => {
    const { clock, file, writer } = setUp();
    for (const record of output(10, 10)) writer.append(record);
    await writer.flush();
    assert.deepEqual([file.syncs, clock.pendingTimers], [1, 0]);
  });

  it('syncs what was written while another sync was under way', async () => {
    const { clock, file, writer } = setUp();
    const [first, second] = output(20, 10);
    assert.ok(first && second);
    writer.append(first);
    await clock.advance(200);
    const gate = deferred();
    file.gate = gate.promise;
    const early = writer.flush();
    await settle();
    file.gate = Promise.resolve();
    writer.append(second);
    const late = writer.flush();
    await settle();
    gate.resolve();
    await Promise.all([early, late]);
    assert.equal(file.syncedLength, file.bytes.length);
    assert.equal(file.syncs, 2);
  });

  it('syncs one at a time, and once for many blocks', async () => {
    const { clock, file, writer } = setUp();
    for (const record of output(200, 10)) {
      writer.append(record);
      await clock.advance(200);
    }
    assert.equal(file.appends, 20);
    assert.ok(file.syncs >= 3 && file.syncs <= 4, `${file.syncs} syncs in four seconds`);
    const gate = deferred();
    file.gate = gate.promise;
    const before = file.syncs;
    const flushes = Array.from({ length: 50 }, () => writer.flush());
    await settle();
    gate.resolve();
    await Promise.all(flushes);
    assert.ok(file.syncs - before <= 2, 'the one in flight and the one behind it');
  });

  it('appends in order though a later block is compressed first', async () => {
    const gates = [deferred(), deferred()];
    let calls = 0;
    const compressor: Compressor = {
      async compress(bytes, quality) {
        await gates[calls++]?.promise;
        return syncBrotli.compress(bytes, quality);
      },
    };
    const { file, writer } = setUp({ compressor, maxSegmentBytes: 100 });
    const records = output(160, 80);
    for (const record of records) writer.append(record);
    await settle();
    assert.equal(calls, 2, 'side by side');
    gates[1]?.resolve();
    await settle();
    assert.equal(file.appends, 0);
    gates[0]?.resolve();
    await writer.close();
    assert.deepEqual(await readAll(file), plain(records));
  });

  it('compresses two blocks at a time, however many are full', async () => {
    let running = 0;
    let most = 0;
    const compressor: Compressor = {
      async compress(bytes, quality) {
        most = Math.max(most, ++running);
        await settle();
        running--;
        return syncBrotli.compress(bytes, quality);
      },
    };
    const { file, writer } = setUp({ compressor, maxSegmentBytes: 100 });
    const records = output(3000, 100);
    for (const [index, record] of records.entries()) {
      writer.append(record);
      if (index % 5 === 4) await settle();
    }
    await writer.close();
    assert.equal(most, 2);
    assert.deepEqual(await readAll(file), plain(records));
  });
});
