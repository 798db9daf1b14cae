import assert from 'node:assert/strict';
import { mapAhead } from '../../../../src/recording/write/mapAhead.ts';
import { deferred } from '../../../support/deferred.ts';
import { settle } from '../../../support/fakeClock.ts';

describe('mapAhead', () => {
  it('yields results in order', async () => {
    const first = deferred();
    const results: number[] = [];
    const read = (async (): Promise<void> => {
      const task = (item: number) =>
        item === 0 ? first.promise.then(() => 0) : settle().then(() => item);
      for await (const result of mapAhead([0, 1, 2, 3], 3, task)) results.push(result);
    })();
    await settle();
    assert.deepEqual(results, []);
    first.resolve();
    await read;
    assert.deepEqual(results, [0, 1, 2, 3]);
  });

  it('throws a failure at its turn', async () => {
    const first = deferred();
    const results: number[] = [];
    const read = async (): Promise<void> => {
      const task = (item: number): Promise<number> =>
        item === 0 ? first.promise.then(() => 0) : Promise.reject(new Error('second'));
      for await (const result of mapAhead([0, 1, 2], 3, task)) results.push(result);
    };
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): number => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const failed = assert.rejects(read(), /second/);
    await settle();
    first.resolve();
    await failed;
    process.off('unhandledRejection', onUnhandled);
    assert.deepEqual([results, unhandled], [[0], []]);
  });

  it('waits for running tasks when the loop ends early', async () => {
    let running = 0;
    const task = async (): Promise<void> => {
      running++;
      await settle();
      await settle();
      running--;
    };
    for await (const result of mapAhead([1, 2, 3, 4], 2, task)) {
      assert.equal(result, undefined);
      break;
    }
    assert.equal(running, 0);
  });
});
