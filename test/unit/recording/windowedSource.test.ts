import assert from 'node:assert/strict';
import { WindowedSource } from '../../../src/recording/windowedSource.ts';
import { MemoryFile } from '../../support/memoryFile.ts';

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251);

describe('WindowedSource', () => {
  it('reads the same as its source, forwards, backwards and at the end', async () => {
    const source = new WindowedSource(new MemoryFile(bytes), bytes.length);
    for (const offset of [0, 10, 65_530, 200_000, 199_990, 5, 299_990, 300_000]) {
      assert.deepEqual(await source.read(offset, 44), bytes.slice(offset, offset + 44));
    }
  });

  it('asks its source once for neighbours', async () => {
    const file = new MemoryFile(bytes);
    const source = new WindowedSource(file, bytes.length);
    for (let offset = 0; offset < 60_000; offset += 44) await source.read(offset, 44);
    assert.equal(file.reads, 1);
  });
});
