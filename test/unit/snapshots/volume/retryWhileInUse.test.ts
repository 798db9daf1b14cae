import assert from 'node:assert/strict';
import { retryWhileInUse } from '../../../../src/snapshots/volume/retryWhileInUse.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const isBusy = (error: unknown): boolean => (error as Error).message === 'busy';

describe('a task that waits until a snapshot is not in use', () => {
  /**
   * Advances time until the task has ended.
   * @returns the number of attempts, and the error
   */
  async function run(attempt: (count: number) => string | undefined) {
    const clock = new FakeClock();
    let count = 0;
    let isSettled = false;
    const task = (): Promise<void> => {
      const failure = attempt(++count);
      return failure === undefined ? Promise.resolve() : Promise.reject(new Error(failure));
    };
    const settling = retryWhileInUse(clock, isBusy, task)
      .then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      )
      .finally(() => (isSettled = true));
    while (!isSettled) await clock.advance(10);
    return { count, failure: await settling };
  }

  it('runs once if it is not in use', async () => {
    assert.deepEqual(await run(() => undefined), { count: 1, failure: undefined });
  });

  it('is tried again while it is in use', async () => {
    const result = await run((count) => (count < 5 ? 'busy' : undefined));
    assert.deepEqual(result, { count: 5, failure: undefined });
  });

  it('fails at once for another error, and after the time limit for this one', async () => {
    const result = await run((count) => (count < 3 ? 'busy' : 'broken'));
    assert.deepEqual(result, { count: 3, failure: 'broken' });
    const { count, failure } = await run(() => 'busy');
    assert.equal(failure, 'busy');
    assert.ok(count > 100 && count < 1000, `${count} times`);
  });
});
