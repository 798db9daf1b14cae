import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import {
  durationMs,
  withTurnEvent,
  type Turn,
} from '../../../../../src/agents/common/turns/turns.ts';
import {
  asked,
  call,
  completed,
  exited,
  message,
  prompt,
  resolved,
  result,
  tokens,
} from '../someEvents.ts';

const turnsOf = (events: readonly AgentEvent[]): readonly Turn[] =>
  events.reduce<readonly Turn[]>(withTurnEvent, []);
const input = { command: 'npm test' };

describe('turns', () => {
  it('have the prompt, tool calls, approvals, files, tokens and answer', () => {
    const [turn, ...more] = turnsOf([
      prompt('fix it', { atMs: 1000 }),
      call('c1', 'Bash', input, { atMs: 1100 }),
      asked('c1', 'Bash', input, { atMs: 1200 }),
      resolved('c1', 'allowed', { atMs: 1500 }),
      result('c1', { outcome: 'failed', exitCode: 1 }, { atMs: 1600 }),
      call('c2', 'Edit', { file_path: '/w/a.ts' }, { atMs: 1700 }),
      result('c2', { files: ['/w/a.ts'] }, { atMs: 1800 }),
      tokens(10, 5, { atMs: 1900 }),
      tokens(20, 5, { atMs: 1950 }),
      // This message arrives late, with an early time.
      message('All done.', { atMs: 2900 }),
      message('I look.', { atMs: 1050 }),
      completed({ atMs: 3000 }),
    ]);
    assert.deepEqual(more, []);
    assert.equal(turn?.prompt, 'fix it');
    assert.equal(turn.answer, 'All done.');
    assert.equal(turn.outcome, 'done');
    assert.equal(durationMs(turn), 2000);
    assert.deepEqual(turn.files, ['/w/a.ts']);
    assert.deepEqual(turn.tokens, { input: 30, output: 10, cacheRead: 0 });
    assert.deepEqual(
      turn.tools.map(({ title, outcome, exitCode }) => [title, outcome, exitCode]),
      [
        ['npm test', 'failed', 1],
        ['Edit /w/a.ts', 'ok', undefined],
      ],
    );
    const [approval] = turn.approvals;
    assert.equal(approval?.decision, 'allowed');
    assert.equal(approval.resolvedNs! - approval.askedNs, 300_000_000n);
  });

  it('end with the next prompt, or with the session', () => {
    const turns = turnsOf([
      prompt('a', { atMs: 0 }),
      prompt('b', { atMs: 10 }),
      completed({ atMs: 20 }),
      prompt('c', { atMs: 30 }),
      exited({ atMs: 40 }),
    ]);
    assert.deepEqual(
      turns.map(({ outcome, endNs }) => [outcome, endNs]),
      [
        ['interrupted', 10_000_000n],
        ['done', 20_000_000n],
        ['interrupted', 40_000_000n],
      ],
    );
  });

  it('get late events of the slower source', () => {
    const turns = turnsOf([
      prompt('a', { atMs: 0 }),
      completed({ atMs: 10 }),
      prompt('b', { atMs: 20 }),
      message('The answer to a.', { atMs: 9 }),
    ]);
    assert.deepEqual(
      turns.map(({ answer }) => answer),
      ['The answer to a.', ''],
    );
  });

  it('stay small with ten thousand tool calls in a turn', () => {
    const events: AgentEvent[] = [prompt('go')];
    for (let nth = 0; nth < 10_000; nth++) {
      events.push(call(`c${nth}`, 'Bash', input), result(`c${nth}`, { files: [`/f${nth}`] }));
    }
    const [turn] = turnsOf(events);
    assert.equal(turn?.toolCount, 10_000);
    assert.equal(turn.tools.length, 200);
    assert.equal(turn.files.length, 200);
  });
});
