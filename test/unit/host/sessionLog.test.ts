import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';
import { SessionLog } from '../../../src/host/sessionLog.ts';
import type { BlockInfo } from '../../../src/recording/format/blockInfo.ts';
import type { AhrRecord } from '../../../src/recording/format/records.ts';

const CHUNK = 64 * 1024;

describe('the session log', () => {
  it('reads recent records from memory, and older ones from the recording', async () => {
    const { log, append, writeAll, loads } = makeLog();
    append(200); // Appends 12.5 MiB, more than the memory limit.
    writeAll();
    assert.ok(!(log.read(199, CHUNK) instanceof Promise));
    const old = log.read(0, 3 * CHUNK);
    assert.ok(old instanceof Promise);
    assert.deepEqual((await old).map(startOf), [0, CHUNK, 2 * CHUNK]);
    assert.equal(loads(), 1);
  });

  it('keeps all records in memory that are not on disk', () => {
    const { log, append } = makeLog();
    append(200);
    const first = log.read(0, CHUNK);
    assert.ok(!(first instanceof Promise));
    assert.equal(startOf(first[0]!), 0);
  });

  it('can be read from end to end by a cursor that starts late', async () => {
    const { log, append, writeAll } = makeLog();
    append(150);
    writeAll();
    append(10);
    const seen: number[] = [];
    for (let cursor = 0; cursor < log.endIndex;) {
      const records = await log.read(cursor, 2 * CHUNK);
      seen.push(...records.map(startOf));
      cursor += records.length;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 160 }, (_, index) => index * CHUNK),
    );
    assert.equal(log.totalBytes, 160 * CHUNK);
  });

  it('joins output within a frame into one record, which can be read before it is complete', () => {
    const { log } = makeLog();
    log.appendOutput(1n, Buffer.from('one '));
    log.appendOutput(2n, Buffer.from('two '));
    assert.equal(log.endIndex, 0);
    assert.equal(Buffer.from(log.readOpen(0)!).toString(), 'one two ');
    assert.equal(Buffer.from(log.readOpen(4)!).toString(), 'two ');
    assert.equal(log.readOpen(8), undefined);
    log.append({ kind: 'mark', tsNs: 3n, code: 7, value: 0 });
    log.appendOutput(4n, Buffer.from('three'));
    log.seal();
    const records = log.read(0, CHUNK) as AhrRecord[];
    assert.deepEqual(
      records.map((record) =>
        record.kind === 'data'
          ? `${record.tsNs} ${Buffer.from(record.bytes).toString()}`
          : record.kind,
      ),
      ['1 one two ', 'mark', '4 three'],
    );
  });

  it('turns output into a record after some milliseconds', async () => {
    const { log } = makeLog();
    log.appendOutput(1n, Buffer.from('alone'));
    while (log.endIndex === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(log.readOpen(0), undefined);
  });

  it('fires when it grows', () => {
    const { log, append } = makeLog();
    let grown = 0;
    log.onDidGrow(() => grown++);
    append(3);
    assert.ok(grown >= 3);
  });
});

function startOf(record: AhrRecord): number {
  return record.kind === 'data' ? record.startByteOffset : -1;
}

function makeLog() {
  const blocks = new Emitter<BlockInfo>();
  const all: AhrRecord[] = [];
  let loads = 0;
  const writer = {
    append: (record: AhrRecord) => void all.push(record),
    onDidWriteBlock: blocks.event,
  };
  const log = new SessionLog(writer, (block) => {
    loads++;
    return Promise.resolve(
      all.slice(block.firstRecordIndex, block.firstRecordIndex + block.recordCount),
    );
  });
  const append = (count: number) => {
    for (let index = 0; index < count; index++) {
      log.appendOutput(1n, new Uint8Array(CHUNK));
    }
    log.seal();
  };
  const writeAll = () => blocks.fire({ firstRecordIndex: 0, recordCount: all.length } as BlockInfo);
  return { log, append, writeAll, loads: () => loads };
}
