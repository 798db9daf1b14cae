import assert from 'node:assert/strict';
import { chooseSnapshot } from '../../../../src/branching/common/chooseSnapshot.ts';
import type { MomentRef } from '../../../../src/branching/common/momentRef.ts';
import type { SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';

function line(id: number, anchorByte: number, tsNs: number): SnapshotLine {
  return {
    id: BigInt(id),
    anchorByte,
    tsNs: BigInt(tsNs),
    label: `s${id}`,
    kind: 'auto',
    trigger: 'tool',
    files: { state: 'pending' },
  };
}

// Two have the same byte offset, because nothing was printed between them.
const LINES = [line(1, 0, 10), line(2, 100, 20), line(3, 100, 30), line(4, 250, 40)];

async function chosen(moment: MomentRef, broken: readonly number[] = []) {
  const choice = await chooseSnapshot(LINES, moment, ({ id }) =>
    Promise.resolve(broken.includes(Number(id)) ? `${id} is broken.` : undefined),
  );
  return { id: choice.line && Number(choice.line.id), choice };
}

describe('chooseSnapshot', () => {
  it('chooses the nearest one at or before a byte, of equal ones the newest', async () => {
    for (const [byte, expected] of [
      [0, 1],
      [99, 1],
      [100, 3],
      [249, 3],
      [250, 4],
      [9999, 4],
    ] as const) {
      const { id, choice } = await chosen({ byte });
      assert.equal(id, expected, `at ${byte}`);
      assert.deepEqual([choice.passedOver, choice.why], [[], 'before']);
    }
  });

  it('chooses the nearest one at or before a time, even if a newer one has the same byte', async () => {
    assert.equal((await chosen({ timeNs: 29n })).id, 2);
    assert.equal((await chosen({ timeNs: 30n })).id, 3);
  });

  it('chooses none after a moment, neither by output nor by time', async () => {
    const at = async (byte: number, timeNs: bigint) => (await chosen({ byte, timeNs })).id;
    assert.deepEqual([await at(100, 29n), await at(100, 30n)], [2, 3], 'nothing was printed');
    assert.deepEqual([await at(99, 30n), await at(100, 40n)], [1, 3], 'much at one time');
    const { choice } = await chosen({ byte: 0, timeNs: 5n });
    assert.deepEqual([choice.line?.id, choice.why], [1n, 'later']);
  });

  it('skips snapshots that can’t be used, and returns the reasons', async () => {
    const { id, choice } = await chosen({ snapshotId: 4n }, [4, 3]);
    assert.equal(id, 2);
    assert.deepEqual(
      choice.passedOver.map(({ line: each, reason }) => [Number(each.id), reason]),
      [
        [4, '4 is broken.'],
        [3, '3 is broken.'],
      ],
    );
    assert.equal(choice.why, 'before');
    assert.equal((await chosen({ snapshotId: 4n })).choice.why, 'asked');
  });

  it('skips snapshots of other programs, unless one is requested', async () => {
    const lines = [...LINES, { ...line(5, 260, 50), files: { state: 'elsewhere' as const } }];
    const good = () => Promise.resolve(undefined);
    const at = await chooseSnapshot(lines, { byte: 300 }, good);
    assert.deepEqual([at.line?.id, at.passedOver.length], [4n, 0]);
    const asked = await chooseSnapshot(lines, { snapshotId: 5n }, good);
    assert.equal(asked.line?.id, 5n);
  });

  it('chooses a later one only if no earlier one can be used, and none if none can', async () => {
    assert.equal((await chosen({ snapshotId: 2n }, [1, 2])).id, 3);
    const first = await chosen({ timeNs: 5n });
    assert.deepEqual([first.id, first.choice.passedOver, first.choice.why], [1, [], 'later']);
    const { id, choice } = await chosen({ byte: 100 }, [1, 2, 3, 4]);
    assert.equal(id, undefined);
    assert.equal(choice.passedOver.length, 4);
  });
});
