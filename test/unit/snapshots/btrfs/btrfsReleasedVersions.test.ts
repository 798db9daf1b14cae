import assert from 'node:assert/strict';
import {
  condensed,
  freedBytes,
  releasedVersions,
} from '../../../../src/snapshots/btrfs/releasedVersions.ts';
import type { ListedEntry } from '../../../../src/snapshots/volume/listing.ts';

const MB = 1024 * 1024;

function file(inode: number, size: number, modified: number, changed = modified): ListedEntry {
  return {
    kind: 'file',
    size: String(size),
    mode: '644',
    stamp: `${inode} ${modified} ${changed}`,
  };
}

describe('the content that a state has and the next one lacks', () => {
  it('counts deleted or replaced files once, and moved files not at all', () => {
    const before = new Map([
      ['deleted', file(1, 10, 100)],
      ['replaced', file(2, 20, 200)],
      ['moved', file(3, 40, 300)],
      ['one name', file(4, 80, 400)],
      ['another name', file(4, 80, 400)],
      ['same', file(5, 160, 500)],
      ['small', file(6, 320, 600)],
      ['large', file(7, 2 * MB, 700)],
      ['empty', file(8, 0, 800)],
    ]);
    const after = new Map([
      ['replaced', file(9, 20, 201)],
      ['elsewhere', file(3, 40, 300, 301)],
      ['same', file(5, 160, 500, 501)],
      ['small', file(6, 321, 601)],
      ['large', file(7, 3 * MB, 701)],
    ]);
    assert.deepEqual(releasedVersions(before, after, undefined), {
      versions: [
        { sinceNs: 100n, bytes: 10 },
        { sinceNs: 200n, bytes: 20 },
        { sinceNs: 400n, bytes: 80 },
        { sinceNs: 600n, bytes: 320 },
      ],
      unclear: [{ path: 'large', sinceNs: 700n }],
    });
  });

  it('counts overwritten and truncated parts, if known', () => {
    const before = new Map([
      ['log', file(1, 5 * MB, 100)],
      ['cut', file(2, 5 * MB, 100)],
      ['database', file(3, 5 * MB, 100)],
    ]);
    const after = new Map([
      ['log', file(1, 5 * MB + 10, 101)],
      ['cut', file(2, 10, 101)],
      ['database', file(3, 5 * MB, 101)],
    ]);
    const written = [
      { offset: 0, length: 4096 },
      { offset: 5 * MB - 4096, length: 8192 },
    ];
    const touched = [
      { path: 'log', isWholeTree: false, written: [{ offset: 5 * MB, length: 4096 }] },
      { path: 'cut', isWholeTree: false },
      { path: 'database', isWholeTree: false, written },
    ];
    assert.deepEqual(releasedVersions(before, after, touched).versions, [
      { sinceNs: 100n, bytes: 5 * MB - 10 },
      { sinceNs: 100n, bytes: 8192 },
    ]);
  });

  it('is condensed: writes close together are merged, the largest kept apart', () => {
    const second = 1_000_000_000n;
    const versions = Array.from({ length: 1000 }, (_, at) => ({
      sinceNs: second * BigInt(at),
      bytes: at === 500 ? 1_000_000 : 1,
    }));
    const few = condensed([...versions, { sinceNs: second * 500n + 1n, bytes: 7 }]);
    assert.equal(few.length, 64);
    assert.deepEqual(few[0], { sinceNs: second * 500n, bytes: 1_000_007 });
    assert.equal(
      few.reduce((sum, { bytes }) => sum + bytes, 0),
      1_000_000 + 999 + 7,
    );
  });
});

describe('the content that removing some states frees', () => {
  const snapshots = (going: readonly number[]) =>
    [
      [],
      [{ sinceNs: 5n, bytes: 1 }],
      [
        { sinceNs: 5n, bytes: 10 },
        { sinceNs: 15n, bytes: 100 },
      ],
      [{ sinceNs: 15n, bytes: 1000 }],
    ].map((released, at) => ({
      takenNs: BigInt(at * 10),
      released,
      isGoing: going.includes(at),
    }));

  it('is the content that no other state has', () => {
    assert.equal(freedBytes(snapshots([0, 1, 2, 3])), 1111);
    assert.equal(freedBytes(snapshots([1])), 1);
    assert.equal(freedBytes(snapshots([2])), 100, 'the one before has the rest');
    assert.equal(freedBytes(snapshots([1, 2])), 111);
    assert.equal(freedBytes(snapshots([2, 3])), 1100);
    assert.equal(freedBytes(snapshots([0, 3])), 0);
  });
});
