import assert from 'node:assert/strict';
import { Bursts } from '../../../../src/host/snapshots/bursts.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const WINDOW_MS = 300;

describe('bursts', () => {
  function setUp() {
    const clock = new FakeClock();
    const passed: string[] = [];
    const bursts = new Bursts<string>(clock, WINDOW_MS, (items) => passed.push(items.join('+')));
    return { clock, passed, bursts };
  }

  it('do not delay rare items', async () => {
    const { clock, passed, bursts } = setUp();
    for (const item of ['a', 'b', 'c']) {
      bursts.push(item);
      assert.equal(passed.at(-1), item);
      await clock.advance(WINDOW_MS);
    }
  });

  it('collect frequent items, without losing any', async () => {
    const { clock, passed, bursts } = setUp();
    for (let number = 0; number < 100; number++) {
      bursts.push(`${number}`);
      await clock.advance(10);
    }
    await clock.advance(WINDOW_MS);
    assert.deepEqual(
      passed.join('+').split('+'),
      Array.from({ length: 100 }, (_, number) => `${number}`),
    );
    assert.equal(passed.length, 5); // The items come at 0, 300, 600, 900 and 1200 ms.
  });

  it('pass on or drop the collected items at the end', async () => {
    const { clock, passed, bursts } = setUp();
    for (const item of ['a', 'b', 'c']) bursts.push(item);
    bursts.flush();
    assert.deepEqual(passed, ['a', 'b+c']);
    bursts.push('d');
    bursts.dispose();
    await clock.advance(WINDOW_MS);
    assert.deepEqual(passed, ['a', 'b+c']);
  });
});
