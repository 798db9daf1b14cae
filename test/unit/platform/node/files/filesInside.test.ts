import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { FilesInside } from '../../../../../src/platform/node/files/filesInside.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const MANY = 100;
const KEPT = 64;
const encoder = new TextEncoder();

describe('files inside of a folder', () => {
  const place = useTemporaryFolder();
  let files: FilesInside;
  const at = (name: string) => path.join(place.path, 'root', name);
  const outside = (name: string) => path.join(place.path, 'outside', name);

  beforeEach(async () => {
    for (const folder of [at('sub/deep'), outside('deep')]) mkdirSync(folder, { recursive: true });
    for (const file of [at('sub/file'), outside('file')]) writeFileSync(file, 'x', { mode: 0o644 });
    files = await FilesInside.open(path.dirname(at('x')));
  });
  afterEach(() => files.close());

  it('are never reached through a link', async () => {
    renameSync(at('sub'), at('aside'));
    symlinkSync(path.dirname(outside('x')), at('sub'));
    const bytes = encoder.encode('changed');
    const operations = [
      () => files.write(at('sub/file'), bytes),
      () => files.write(at('file'), bytes, 0o600, at('sub')),
      () => files.copy(at('aside/file'), at('sub/new')),
      () => files.link('x', at('sub/new')),
      () => files.makeFolder(at('sub')),
      () => files.makeFolder(at('sub/new/folder')),
      () => files.setMode(at('sub/file'), 0o777),
      () => files.rename(at('aside/file'), at('sub/new')),
      () => files.rename(at('sub/file'), at('new')),
      () => files.remove(at('sub/file')),
      () => files.removeTree(at('sub/deep')),
      () => files.read(at('sub/file')),
      () => files.list(at('sub')),
      () => files.stat(at('sub/file')),
    ];
    for (const operation of operations)
      await assert.rejects(operation(), { code: 'folder-replaced', message: /^sub is no longer/ });
    symlinkSync(outside('file'), at('link'));
    await files.setMode(at('link'), 0o777);
    await files.write(at('link'), bytes);
    await files.removeTree(at('sub'));
    assert.equal(readFileSync(outside('file'), 'utf8'), 'x');
    assert.equal(statSync(outside('file')).mode & 0o777, 0o644);
    assert.deepEqual(readdirSync(path.dirname(outside('x'))), ['deep', 'file']);
    assert.ok(!existsSync(at('sub')));
  });

  it('stay in a folder that is moved, which the next look names', async () => {
    await files.stat(at('sub/file'));
    renameSync(at('sub'), at('aside'));
    symlinkSync(path.dirname(outside('x')), at('sub'));
    await files.write(at('sub/file'), encoder.encode('changed'));
    assert.equal(readFileSync(at('aside/file'), 'utf8'), 'changed');
    await assert.rejects(files.stat(at('sub')), { code: 'folder-replaced' });
    assert.equal((await files.stat(at('sub'))).kind, 'symlink');
  });

  it('need few descriptors, which are closed', async () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let each = 0; each < MANY; each++) {
      await files.makeFolder(at(`many/${each}/deep`));
      await files.write(at(`many/${each}/deep/file`), encoder.encode('x'));
      assert.ok(open() <= before + KEPT, `${open() - before} open`);
    }
    await Promise.all(
      Array.from({ length: MANY }, (_, each) =>
        files.write(at(`many/${each}/deep/file`), encoder.encode(`${each}`)),
      ),
    );
    for (let each = 0; each < MANY; each++)
      assert.equal(readFileSync(at(`many/${each}/deep/file`), 'utf8'), `${each}`);
    await files.removeTree(at('many'));
    await files.close();
    assert.equal(open(), before - 1, 'the root is closed too');
  });

  it('are named in errors, and may be in folders that cannot be listed', async () => {
    await assert.rejects(files.read(at('sub/deep/gone')), {
      code: 'ENOENT',
      message: `ENOENT: no such file or directory, open '${at('sub/deep/gone')}'`,
    });
    await assert.rejects(files.write(`${at('sub')}/../x`, encoder.encode('')), /no path inside/);
    chmodSync(at('sub'), 0o300);
    await files.write(at('sub/file'), encoder.encode('new'));
    chmodSync(at('sub'), 0o700);
    assert.equal(readFileSync(at('sub/file'), 'utf8'), 'new');
  });
});
