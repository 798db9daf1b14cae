import assert from 'node:assert/strict';
import {
  momentRefOf,
  parseMomentArgument,
} from '../../../../src/extension/branches/momentArgument.ts';
import type { SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';

describe('the argument of a command about a moment', () => {
  const nothing = {
    sessionId: undefined,
    place: undefined,
    snapshotId: undefined,
    fromSnapshotId: undefined,
    message: undefined,
  };

  it('is read from the timeline, the list and a transcript', () => {
    const moment = { meta: { id: 's' }, byte: 5, snapshotId: '12', timeNs: '1' };
    assert.deepEqual(parseMomentArgument(moment), {
      sessionId: 's',
      place: { byte: 5, timeNs: 1n },
      snapshotId: 12n,
      fromSnapshotId: undefined,
      message: undefined,
    });
    const turn = { snapshotId: '12', fromSnapshotId: '9' };
    assert.deepEqual(parseMomentArgument(turn), {
      ...nothing,
      snapshotId: 12n,
      fromSnapshotId: 9n,
    });
    assert.deepEqual(parseMomentArgument({ meta: { id: 's' }, byte: 0, message: 'm' }), {
      ...nothing,
      sessionId: 's',
      place: { byte: 0 },
      message: 'm',
    });
  });

  it('names our own snapshot; otherwise byte offset, time, or both', () => {
    const line = (id: bigint, state: 'pending' | 'elsewhere'): SnapshotLine => ({
      id,
      tsNs: 1n,
      anchorByte: 0,
      label: '',
      kind: 'auto',
      trigger: 'tool',
      files: { state },
    });
    const lines = [line(1n, 'pending'), line(2n, 'elsewhere')];
    const refOf = (argument: object) => momentRefOf(parseMomentArgument(argument), lines);
    const place = { byte: 5, timeNs: '7' };
    assert.deepEqual(refOf({ ...place, snapshotId: '1' }), { snapshotId: 1n });
    for (const more of [{}, { snapshotId: '2' }, { snapshotId: '9' }]) {
      assert.deepEqual(refOf({ ...place, ...more }), { byte: 5, timeNs: 7n });
    }
    assert.deepEqual(refOf({ snapshotId: '2' }), { snapshotId: 2n });
    assert.deepEqual(refOf({ byte: 5 }), { byte: 5 });
    assert.deepEqual(refOf({ timeNs: 7n }), { timeNs: 7n });
    assert.equal(refOf({ meta: { id: 's' } }), undefined);
  });

  it('is empty when it is malformed', () => {
    for (const argument of [
      undefined,
      null,
      7,
      [],
      { byte: -1, timeNs: 1.5, snapshotId: 'x', message: {} },
    ]) {
      assert.deepEqual(parseMomentArgument(argument), nothing);
    }
  });
});
