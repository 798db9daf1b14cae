import assert from 'node:assert/strict';
import { parseDiffOutput } from '../../../../src/snapshots/zfs/diffOutput.ts';
import { parseRef, refOf } from '../../../../src/snapshots/zfs/zfsRef.ts';

describe('the output of zfs diff', () => {
  it('is parsed into touched paths, a rename into two whole trees', () => {
    const text =
      'M\t/\t/tank/p\n+\tF\t/tank/p/new\nR\t/\t/tank/p/a\t/tank/p/b\nM\tF\t/tank/p/l\t(+1)\n';
    assert.deepEqual(parseDiffOutput(text, '/tank'), [
      { path: 'p', isWholeTree: false },
      { path: 'p/new', isWholeTree: false },
      { path: 'p/a', isWholeTree: true },
      { path: 'p/b', isWholeTree: true },
      { path: 'p/l', isWholeTree: false },
    ]);
  });

  it('is unescaped byte by byte', () => {
    const text = 'M\tF\t/tank/a\\0040b\\0134c\\0303\\0274\\0377\n';
    assert.deepEqual(parseDiffOutput(text, '/tank'), [
      { path: 'a b\\cü\udcff', isWholeTree: false },
    ]);
  });

  it('is rejected if a path is elsewhere or missing', () => {
    assert.equal(parseDiffOutput('M\tF\t/other/file\n', '/tank'), undefined);
    assert.equal(parseDiffOutput('M\n', '/tank'), undefined);
    assert.deepEqual(parseDiffOutput('', '/tank'), []);
  });
});

describe('the reference of a ZFS snapshot', () => {
  const snapshot = `ah-${'0'.repeat(16)}-one`;

  it('contains the folder, whatever its name', () => {
    for (const folder of ['', 'a/b', 'with:colon\n and line']) {
      assert.deepEqual(parseRef(refOf(snapshot, folder)), { snapshot, folder });
    }
  });

  it('is refused if it is not ours or leads elsewhere', () => {
    for (const ref of ['', 'mine:a', `${snapshot}`, `${snapshot}:../x`, `${snapshot}@x:a`]) {
      assert.throws(() => parseRef(ref), { code: 'bad-ref' }, ref);
    }
  });
});
