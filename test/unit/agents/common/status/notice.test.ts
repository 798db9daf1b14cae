import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { LiveSession } from '../../../../../src/agents/common/liveSession.ts';
import { NoticeLimit, noticesOf } from '../../../../../src/agents/common/status/notice.ts';
import { asked, call, completed, prompt, resolved, result } from '../someEvents.ts';

/** The notices after each event. */
function told(...events: readonly AgentEvent[]): string[][] {
  const live = new LiveSession();
  return events.map((event) => {
    const statusBefore = live.status(event.timeNs);
    const concerns = live.push(event);
    const news = { statusBefore, status: live.status(event.timeNs), events: [event], concerns };
    return noticesOf(news).map(({ kind, subject }) => `${kind} ${subject}`.trim());
  });
}

const input = { command: 'npm test' };
const failing = (id: string) => [call(id, 'Bash', input), result(id, { outcome: 'failed' })];

describe('noticesOf', () => {
  it('reports each question once', () => {
    const second = asked('d', 'Bash', { command: 'rm -r x' }, { atMs: 3 });
    assert.deepEqual(
      told(prompt('go'), asked('c', 'Bash', input, { atMs: 1 }), resolved('c', 'allowed'), second),
      [[], ['approval npm test'], [], ['approval rm -r x']],
    );
  });

  it('reports finished turns, but not interrupted ones', () => {
    assert.deepEqual(told(prompt('go'), completed()), [[], ['finished']]);
    assert.deepEqual(told(prompt('go'), completed({}, 'interrupted')), [[], []]);
  });

  it('reports repeated failures', () => {
    const notices = told(prompt('go'), ...failing('1'), ...failing('2'), ...failing('3'));
    assert.deepEqual(notices.flat(), ['failing npm test']);
  });

  it('is limited to one per kind in 30 seconds, and six per minute', () => {
    const limit = new NoticeLimit();
    assert.equal(limit.mayShow('a', 'approval', 0), true);
    assert.equal(limit.mayShow('a', 'approval', 29_999), false);
    assert.equal(limit.mayShow('a', 'finished', 29_999), true);
    assert.equal(limit.mayShow('a', 'approval', 30_000), true);
    for (const session of ['b', 'c', 'd']) {
      assert.equal(limit.mayShow(session, 'stuck', 31_000), true);
    }
    assert.equal(limit.mayShow('e', 'stuck', 31_000), false);
    assert.equal(limit.mayShow('e', 'stuck', 61_000), true);
  });
});
