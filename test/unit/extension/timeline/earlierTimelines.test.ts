import assert from 'node:assert/strict';
import { EarlierTimelines } from '../../../../src/extension/timeline/earlierTimelines.ts';

const STORED = [
  ['/a.ahr', 'Claude Code · Timeline'],
  ['/b.ahr', 'Claude Code · Timeline'],
  ['/c.ahr', 'Fix · Timeline'],
];

describe('timelines of an earlier extension host', () => {
  it('are known by their title only if no other has it', () => {
    const earlier = new EarlierTimelines(STORED);
    assert.equal(earlier.uniqueTitle('/a.ahr'), undefined);
    assert.equal(earlier.uniqueTitle('/c.ahr'), 'Fix · Timeline');
    assert.equal(earlier.uniqueTitle('/d.ahr'), undefined);
    earlier.delete('/b.ahr');
    assert.equal(earlier.uniqueTitle('/a.ahr'), 'Claude Code · Timeline');
  });

  it('are forgotten when their tabs are closed', () => {
    const earlier = new EarlierTimelines(STORED);
    earlier.keep(new Set(['Claude Code · Timeline', 'Other']));
    assert.deepEqual(earlier.all, STORED.slice(0, 2));
    earlier.keep(new Set());
    assert.deepEqual(earlier.all, []);
  });

  it('of an unknown form are left out', () => {
    assert.deepEqual(new EarlierTimelines(['/a.ahr', [1, 2], ...STORED]).all, STORED);
    assert.deepEqual(new EarlierTimelines(undefined).all, []);
  });
});
