import assert from 'node:assert/strict';
import { WindowedSource } from '../../../../src/recording/read/windowedSource.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251);

describe('WindowedSource', () => {
  it('reads the same as its source, forwards, backwards and at the end', async () => {
    const source = new WindowedSource(new MemoryFile(bytes), bytes.length);
    for (const offset of [0, 10, 65_530, 200_000, 199_990, 5, 299_990, 300_000]) {
      assert.deepEqual(await source.read(offset, 44), bytes.slice(offset, offset + 44));
    }
  });

  it('reads neighbouring ranges with one read of its source', async () => {
    const file = new MemoryFile(bytes);
    const source = new WindowedSource(file, bytes.length);
    for (let offset = 0; offset < 60_000; offset += 44) await source.read(offset, 44);
    assert.equal(file.reads, 1);
  });

  it('reads from its source again only outside of the window', async () => {
    const file = new MemoryFile(bytes);
    const source = new WindowedSource(file, bytes.length);
    const readsAfter = async (offset: number, length: number): Promise<number> => {
      assert.deepEqual(await source.read(offset, length), bytes.slice(offset, offset + length));
      return file.reads;
    };
    assert.equal(await readsAfter(1000, 44), 1);
    assert.equal(await readsAfter(1000, 64 * 1024), 1, 'a window is 64 KiB');
    assert.equal(await readsAfter(1000 + 64 * 1024 - 44, 44), 1, 'up to its last byte');
    assert.equal(await readsAfter(1000 + 64 * 1024 - 43, 44), 2);
    assert.equal(await readsAfter(999, 44), 3);
  });

  it('never reads beyond the size it was given', async () => {
    const requests: [number, number][] = [];
    const file = new MemoryFile(bytes);
    const read = file.read.bind(file);
    file.read = (offset, length) => {
      requests.push([offset, length]);
      return read(offset, length);
    };
    const source = new WindowedSource(file, 1000);
    assert.deepEqual(await source.read(990, 44), bytes.slice(990, 1000));
    assert.deepEqual(await source.read(995, 44), bytes.slice(995, 1000));
    assert.deepEqual(await source.read(1000, 44), new Uint8Array(0));
    assert.deepEqual(requests, [[990, 10]]);
  });
});
