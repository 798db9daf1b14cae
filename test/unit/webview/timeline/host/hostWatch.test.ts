import assert from 'node:assert/strict';
import { HostWatch } from '../../../../../src/webview/timeline/host/hostWatch.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';

describe('the watch over the extension host', () => {
  it('reports a host that no longer answers', async () => {
    const clock = new FakeClock();
    const seen: string[] = [];
    let isAlive = true;
    new HostWatch({
      timers: clock,
      ask: () => (isAlive ? Promise.resolve() : new Promise(() => {})),
      onLost: () => seen.push('lost'),
      onBack: () => seen.push('back'),
    });
    await clock.advance(60_000);
    assert.deepEqual(seen, []);
    isAlive = false;
    await clock.advance(8000);
    assert.deepEqual(seen, ['lost']);
  });

  it('takes a late answer or a refusal as a sign of life', async () => {
    const clock = new FakeClock();
    const seen: string[] = [];
    const late: (() => void)[] = [];
    new HostWatch({
      timers: clock,
      ask: () => new Promise((_, reject) => late.push(() => reject(new Error('no')))),
      onLost: () => seen.push('lost'),
      onBack: () => seen.push('back'),
    });
    await clock.advance(6000);
    late.pop()!();
    await clock.advance(2000);
    assert.deepEqual(seen, ['lost', 'back']);
    await clock.advance(1000);
    assert.equal(late.length, 1, 'asks again');
  });
});
