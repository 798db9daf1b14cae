import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { areEqualFiles } from '../../../../../src/platform/node/files/equalFiles.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const PIECE_BYTES = 1024 * 1024;

describe('areEqualFiles', () => {
  const folder = useTemporaryFolder();
  const written = (name: string, content: Uint8Array | string): string => {
    const file = path.join(folder.path, name);
    writeFileSync(file, content);
    return file;
  };

  it('compares the content of small files', async () => {
    const file = written('a', 'one');
    assert.equal(await areEqualFiles(file, written('same', 'one')), true);
    assert.equal(await areEqualFiles(file, written('other', 'two')), false);
    assert.equal(await areEqualFiles(file, written('longer', 'ones')), false);
    assert.equal(await areEqualFiles(written('empty', ''), written('too', '')), true);
  });

  it('compares all pieces of large files', async () => {
    for (const length of [PIECE_BYTES - 1, PIECE_BYTES, 2 * PIECE_BYTES + 1]) {
      const content = Buffer.alloc(length, 7);
      const file = written('a', content);
      assert.equal(await areEqualFiles(file, written('same', content)), true);
      content[length - 1] = 8;
      assert.equal(await areEqualFiles(file, written('other', content)), false);
    }
  });

  it('follows no link and reads no folder', async () => {
    const file = written('a', 'one');
    symlinkSync(file, path.join(folder.path, 'link'));
    await assert.rejects(areEqualFiles(file, path.join(folder.path, 'link')), { code: 'ELOOP' });
    const one = path.join(folder.path, 'one');
    const other = path.join(folder.path, 'other');
    for (const each of [one, other]) mkdirSync(each);
    await assert.rejects(areEqualFiles(one, other), { code: 'EISDIR' });
    await assert.rejects(areEqualFiles(file, path.join(folder.path, 'none')), { code: 'ENOENT' });
  });

  it('can be cancelled', async () => {
    const file = written('a', 'one');
    await assert.rejects(areEqualFiles(file, file, AbortSignal.abort()), { name: 'AbortError' });
  });
});
