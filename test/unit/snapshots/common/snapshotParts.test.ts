import assert from 'node:assert/strict';
import { inParallel } from '../../../../src/snapshots/common/inParallel.ts';
import { permissionChange } from '../../../../src/snapshots/common/provider.ts';
import { pathsOf } from '../../../../src/snapshots/common/zeroSeparated.ts';
import { verifiedLine } from '../../../../src/snapshots/common/verifiedLine.ts';
import {
  decodeSnapshotLines,
  encodeSnapshotLine,
} from '../../../../src/snapshots/common/snapshotLine.ts';
import type { SnapshotFiles, SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';
import { deferred } from '../../../support/deferred.ts';

describe('tasks that run in parallel', () => {
  it('throw the first failure after all started ones have ended, and start no more', async () => {
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

describe('later lines of a snapshot', () => {
  const line = (files: SnapshotFiles): SnapshotLine => ({
    id: 1n,
    tsNs: 2n,
    label: '',
    kind: 'auto',
    anchorByte: 0,
    trigger: 'tool',
    files,
  });
  const KEPT: SnapshotFiles = {
    state: 'kept',
    provider: 'git',
    ref: 'r',
    stats: {},
    omissions: [],
    isUnverified: true,
  };

  it("don't revive a removed one", () => {
    const lacking = [{ path: 'a', reason: 'unstable' }] as const;
    const removed = line({ state: 'removed' });
    assert.equal(verifiedLine(removed, lacking), removed);
    const { isUnverified, ...proven } = KEPT;
    assert.ok(isUnverified);
    assert.deepEqual(verifiedLine(line(KEPT), lacking).files, { ...proven, omissions: lacking });
  });

  it('are kept even if counts and omissions are damaged', () => {
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
  it('have not changed if they are unknown', () => {
    assert.equal(permissionChange(undefined, 0o644), undefined);
    assert.equal(permissionChange(0o644, undefined), undefined);
    assert.deepEqual(permissionChange(0o100644, 0o755), { before: 0o644, after: 0o755 });
  });
});

describe('names that end with a zero byte', () => {
  it('are decoded one by one if one of them is not UTF-8', () => {
    assert.deepEqual(pathsOf(Buffer.from('a\0b\0cut')), ['a', 'b']);
    const odd = Buffer.concat([Buffer.from('a\0'), Buffer.from([0xff]), Buffer.from('\0ü\0cut')]);
    assert.deepEqual(pathsOf(odd), ['a', '\udcff', 'ü']);
  });
});
