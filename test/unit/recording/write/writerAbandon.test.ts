import assert from 'node:assert/strict';
import { RecordingWriter } from '../../../../src/recording/write/writer.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock, settle } from '../../../support/fakeClock.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { output, plain, readAll } from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';

function setUp() {
  const clock = new FakeClock();
  const file = new MemoryFile();
  const writer = new RecordingWriter({ sink: file, compressor: syncBrotli, clock, quality: 4 });
  const troubles: (string | undefined)[] = [];
  writer.onDidChangeTrouble((trouble) => troubles.push(trouble?.message));
  return { clock, file, writer, troubles };
}

const abandoned = {
  name: 'UserError',
  code: 'recording-abandoned',
  message: 'The recorder gave up saving the recording.',
};

describe('RecordingWriter.abandon', () => {
  it('rejects waiting calls, keeps written records, drops later ones', async () => {
    const { clock, file, writer } = setUp();
    const records = output(100, 10);
    for (const record of records.slice(0, 5)) writer.append(record);
    await writer.flush();
    file.failAppend = () => 0;
    for (const record of records.slice(5, 8)) writer.append(record);
    const flushed = assert.rejects(writer.flush(), abandoned);
    await clock.advance(1000);
    writer.abandon();
    await flushed;
    for (const record of records.slice(8)) writer.append(record);
    assert.equal(writer.recordCount, 8);
    await assert.rejects(writer.flush(), abandoned);
    await assert.rejects(writer.close(), abandoned);
    assert.equal(clock.pendingTimers, 0);
    assert.deepEqual(await readAll(file), plain(records.slice(0, 5)));
  });

  it('leaves no timer behind', async () => {
    const { clock, file, writer } = setUp();
    const [first, second] = output(20, 10);
    assert.ok(first && second);
    writer.append(first);
    await clock.advance(200);
    writer.append(second);
    assert.equal(clock.pendingTimers, 2, 'the age of the block and the next sync');
    writer.abandon();
    assert.equal(clock.pendingTimers, 0);
    assert.equal(file.appends, 1);
  });

  it('rejects calls that wait for a sink that hangs', async () => {
    const { clock, file, writer, troubles } = setUp();
    file.gate = new Promise(() => {});
    for (const record of output(100, 10)) writer.append(record);
    const flushed = assert.rejects(writer.flush(), abandoned);
    const closed = assert.rejects(writer.close(), abandoned);
    await settle();
    writer.abandon();
    await Promise.all([flushed, closed]);
    await settle();
    assert.deepEqual([troubles, clock.pendingTimers], [[], 0], 'it does not try again');
  });

  it('is part of dispose', async () => {
    const { clock, file, writer } = setUp();
    const gate = deferred();
    file.gate = gate.promise;
    const [first, second] = output(20, 10);
    assert.ok(first && second);
    writer.append(first);
    const flushed = assert.rejects(writer.flush(), abandoned);
    await settle();
    writer.dispose();
    await flushed;
    writer.append(second);
    assert.equal(writer.recordCount, 1);
    await clock.advance(1000);
    assert.equal(clock.pendingTimers, 0);
  });

  it('can be repeated, and dispose after close is harmless', async () => {
    const { file, writer } = setUp();
    for (const record of output(100, 10)) writer.append(record);
    await writer.close();
    writer.dispose();
    writer.dispose();
    assert.equal((await readAll(file)).length, 10);
  });
});
