import assert from 'node:assert/strict';
import { SnapshotNumbers } from '../../../../../src/snapshots/node/take/snapshotNumbers.ts';

const TAKEN = { name: 'UserError', code: 'number-taken' };

describe('the numbers of snapshots', () => {
  it('start with one, and continue after the numbers of other programs', () => {
    const numbers = new SnapshotNumbers();
    assert.equal(numbers.next(), 1n);
    numbers.claim(7n);
    numbers.claim(3n);
    numbers.claim(0n);
    assert.deepEqual([numbers.next(), numbers.next()], [8n, 9n]);
  });

  it('are unique: another program can’t reuse one', () => {
    const numbers = new SnapshotNumbers();
    numbers.next();
    numbers.claim(5n);
    for (const id of [1n, 5n]) assert.throws(() => numbers.claim(id), TAKEN);
    numbers.claim(4n);
    assert.equal(numbers.next(), 6n);
    assert.throws(() => numbers.claim(6n), TAKEN);
  });

  it('do not continue after very large numbers, so they never run out', () => {
    const numbers = new SnapshotNumbers();
    const [count, mark, largest] = [2n ** 32n, 2n ** 32n + 1n, 2n ** 64n - 1n];
    numbers.claim(largest);
    numbers.claim(mark);
    assert.equal(numbers.next(), 1n);
    numbers.claim(count);
    assert.equal(numbers.next(), mark + 1n, 'nor do they meet them');
  });

  it('are used again only if nothing came after them', () => {
    const numbers = new SnapshotNumbers();
    numbers.release(numbers.next());
    const [first, second] = [numbers.next(), numbers.next()];
    assert.deepEqual([first, second], [1n, 2n]);
    numbers.release(first);
    assert.equal(numbers.next(), 3n);
    numbers.claim(4n);
    numbers.release(3n);
    assert.throws(() => numbers.claim(3n), TAKEN);
    const own = numbers.next();
    numbers.release(own);
    numbers.claim(own);
    assert.equal(numbers.next(), own + 1n, 'another program has it now');
  });
});
