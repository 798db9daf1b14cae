import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FileSink } from '../../../../../src/platform/node/files/fileSink.ts';

describe('FileSink', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'ah-sink-'));
    file = path.join(folder, 'a.ahr');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('creates a file that only its owner can access', async () => {
    const mask = process.umask(0);
    try {
      await (await FileSink.create(file)).close();
    } finally {
      process.umask(mask);
    }
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('never overwrites a file', async () => {
    writeFileSync(file, 'precious');
    await assert.rejects(FileSink.create(file), { code: 'EEXIST' });
    assert.equal(readFileSync(file, 'utf8'), 'precious');
  });

  it('appends, also after a truncation', async () => {
    const sink = await FileSink.create(file);
    await sink.append(Buffer.from('one '));
    await sink.append(Buffer.from('two and more'));
    await sink.truncate(8);
    await sink.append(Buffer.alloc(0));
    await sink.append(Buffer.from('three'));
    await sink.sync();
    assert.equal(readFileSync(file, 'utf8'), 'one two ' + 'three');
    await sink.close();
  });

  it('writes to the file at once, without a sync', async () => {
    const sink = await FileSink.create(file);
    await sink.append(Buffer.from('seen'));
    assert.equal(readFileSync(file, 'utf8'), 'seen');
    await sink.close();
  });

  it('fails once it is closed', async () => {
    const sink = await FileSink.create(file);
    await sink.close();
    await assert.rejects(sink.append(Buffer.from('x')));
    await assert.rejects(sink.sync());
  });
});
