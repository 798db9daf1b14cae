import assert from 'node:assert/strict';
import { inParallel } from '../../../../src/snapshots/common/inParallel.ts';
import { permissionChange } from '../../../../src/snapshots/common/provider.ts';
import { zeroSeparated } from '../../../../src/snapshots/volume/zeroSeparated.ts';
import { provenLine } from '../../../../src/snapshots/common/provenLine.ts';
import {
  decodeSnapshotLines,
  encodeSnapshotLine,
} from '../../../../src/snapshots/common/snapshotLine.ts';
import type { SnapshotFiles, SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';
import { deferred } from '../../../support/deferred.ts';

describe('tasks that run in parallel', () => {
  it('throw the first failure when all that had started has ended, and start no more', async () => {
    const slow = deferred();
    const started: number[] = [];
    let hasEnded = false;
    const running = inParallel([1, 2, 3, 4], 2, async (item) => {
      started.push(item);
      if (item === 2) throw new Error('second');
      await slow.promise;
      hasEnded = true;
    });
    slow.resolve();
    await assert.rejects(running, /second/);
    assert.deepEqual([started, hasEnded], [[1, 2], true]);
  });
});

describe('what is said of a snapshot later', () => {
  const line = (files: SnapshotFiles): SnapshotLine => ({
    ...{ id: 1n, tsNs: 2n, label: '', kind: 'auto', anchorByte: 0, trigger: 'tool', files },
  });
  const KEPT: SnapshotFiles = {
    ...{ state: 'kept', provider: 'git', ref: 'r', stats: {}, omissions: [], isUnproven: true },
  };

  it('does not bring back one that was removed', () => {
    const lacking = [{ path: 'a', reason: 'unstable' }] as const;
    const removed = line({ state: 'removed' });
    assert.equal(provenLine(removed, lacking), removed);
    const { isUnproven, ...proven } = KEPT;
    assert.ok(isUnproven);
    assert.deepEqual(provenLine(line(KEPT), lacking).files, { ...proven, omissions: lacking });
  });

  it('is kept where its counts and omissions are damaged', () => {
    const good = encodeSnapshotLine(
      line({ ...KEPT, omissions: [{ path: 'a', reason: 'ignored' }] }),
    );
    const cases = [
      ['"stats":{}', '"stats":7'],
      ['"skipped":[{"path":"a","reason":"ignored"}]', '"skipped":[null,7,{"path":1},{"path":"a"}]'],
    ] as const;
    for (const [text, damaged] of cases) {
      assert.ok(good.includes(text), good);
      const [found] = decodeSnapshotLines(good.replace(text, damaged));
      assert.equal(found?.files.state, 'kept');
      assert.equal(found.files.ref, 'r');
    }
  });
});

describe('permissions', () => {
  it('that are not known have not changed', () => {
    assert.equal(permissionChange(undefined, 0o644), undefined);
    assert.equal(permissionChange(0o644, undefined), undefined);
    assert.deepEqual(permissionChange(0o100644, 0o755), { before: 0o644, after: 0o755 });
  });
});

describe('names that end with a zero byte', () => {
  it('are read one by one where one of them is not UTF-8', () => {
    assert.deepEqual(zeroSeparated(Buffer.from('a\0b\0cut')), ['a', 'b']);
    const odd = Buffer.concat([Buffer.from('a\0'), Buffer.from([0xff]), Buffer.from('\0ü\0cut')]);
    assert.deepEqual(zeroSeparated(odd), ['a', '\udcff', 'ü']);
  });
});
