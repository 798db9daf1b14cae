import assert from 'node:assert/strict';
import type { AgentEvent, AgentStatus } from '../../../../src/agents/common/events.ts';
import { NO_FACTS, statusAt, withEvent, withOutput } from '../../../../src/agents/common/status.ts';
import {
  asked,
  call,
  completed,
  exited,
  message,
  prompt,
  resolved,
  result,
  title,
} from './someEvents.ts';

const ms = (value: number): bigint => BigInt(value) * 1_000_000n;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

function factsOf(events: readonly AgentEvent[]) {
  return events.reduce(withEvent, NO_FACTS);
}

function statusOf(events: readonly AgentEvent[], nowMs: number): AgentStatus {
  return statusAt(factsOf(events), ms(nowMs)).status;
}

const input = { command: 'npm run dev' };
const working = [prompt('go', { atMs: 0 }), call('c', 'Bash', input, { atMs: 10 })];

describe('the status of an agent', () => {
  const table: readonly [string, readonly AgentEvent[], number, AgentStatus][] = [
    ['nothing known', [], 0, 'unknown'],
    ['a prompt', [prompt('go')], 100, 'running'],
    ['a tool under way', working, 100, 'running'],
    ['a command that is silent for an hour', working, 60 * MINUTE, 'running'],
    [
      'an approval asked',
      [...working, asked('c', 'Bash', input, { atMs: 20 })],
      100,
      'waiting_approval',
    ],
    [
      'an approval asked an hour ago',
      [...working, asked('c', 'Bash', input, { atMs: 20 })],
      60 * MINUTE,
      'waiting_approval',
    ],
    [
      'an approval granted',
      [...working, asked('c', 'Bash', input), resolved('c', 'allowed')],
      100,
      'running',
    ],
    [
      'an approval denied, the turn over',
      [
        ...working,
        asked('c', 'Bash', input),
        result('c', { outcome: 'denied' }),
        completed({ atMs: 30 }, 'interrupted'),
      ],
      100,
      'waiting',
    ],
    ['a turn over', [...working, result('c'), completed({ atMs: 30 })], 100, 'waiting'],
    ['a turn over for long', [...working, completed({ atMs: 30 })], 3 * MINUTE, 'idle'],
    [
      'a prompt after that',
      [...working, completed({ atMs: 30 }), prompt('x', { atMs: 40 })],
      50,
      'running',
    ],
    [
      'the late end of the turn before',
      [...working, prompt('x', { atMs: 40 }), completed({ atMs: 30 })],
      50,
      'running',
    ],
    ['an end', [...working, asked('c', 'Bash', input), exited({ atMs: 30 })], 50, 'exited'],
    [
      'an end of its conversation, in a program that goes on',
      [...working, asked('c', 'Bash', input), exited({ atMs: 30, source: 'hook' })],
      50,
      'waiting',
    ],
    [
      'the late end of the conversation before',
      [...working, prompt('x', { atMs: 40 }), exited({ atMs: 30, source: 'transcript' })],
      50,
      'running',
    ],
    [
      'an end of the program, and the agent’s own word for it read after that',
      [...working, exited({ atMs: 30 }), exited({ atMs: 29, source: 'transcript' })],
      50,
      'exited',
    ],
    [
      'an end of one session, then another',
      [exited({ atMs: 1 }), prompt('x', { atMs: 2 })],
      5,
      'running',
    ],
    ['a title that asks', [...working, title('waiting_approval', 20)], 100, 'waiting_approval'],
    [
      'a title that asked',
      [...working, title('waiting_approval', 20), title('running', 30)],
      100,
      'running',
    ],
    ['Esc, told by the title alone', [...working, title('waiting', 20)], 100, 'waiting'],
    [
      'a question answered, told by the title alone, and a long silence',
      [
        ...working,
        asked('c', 'Bash', input, { atMs: 20 }),
        title('waiting_approval', 21),
        title('running', 5000),
      ],
      60 * MINUTE,
      'running',
    ],
    [
      'a title from before a question, told just after it',
      [...working, asked('c', 'Bash', input, { atMs: 20 }), title('running', 400)],
      MINUTE,
      'waiting_approval',
    ],
    [
      'a title that says nothing while it asks, and then that it works',
      [...working, asked('c', 'Bash', input, { atMs: 20 }), title('running', 3000)],
      60 * MINUTE,
      'running',
    ],
    [
      'a command that waits for keys, after a question that was answered',
      [
        ...working,
        asked('c', 'Bash', input, { atMs: 20 }),
        title('waiting_approval', 21),
        title('running', 5000),
        title('waiting_approval', 9000),
      ],
      MINUTE,
      'running',
    ],
    ['only titles', [title('running', 0)], 10 * SECOND, 'running'],
    ['only titles, the last long ago', [title('running', 0)], 40 * SECOND, 'unknown'],
    ['only words', [message('hi')], 10, 'unknown'],
    ['only words, long ago', [message('hi')], 3 * MINUTE, 'idle'],
    [
      'two approvals, one granted',
      [...working, asked('c', 'Bash', input), asked('d', 'Bash', input), resolved('c', 'allowed')],
      9,
      'waiting_approval',
    ],
  ];
  for (const [name, events, nowMs, expected] of table) {
    it(`${name}: ${expected}`, () => assert.equal(statusOf(events, nowMs), expected));
  }

  it('does not take silence for waiting, nor output for work', () => {
    const facts = withOutput(NO_FACTS, ms(0));
    assert.equal(statusAt(facts, ms(10)).status, 'unknown');
    assert.equal(statusAt(facts, ms(3 * MINUTE)).status, 'idle');
    assert.equal(statusAt(withOutput(facts, ms(3 * MINUTE)), ms(3 * MINUTE)).status, 'unknown');
  });

  it('says why, and when to look again', () => {
    const waiting = statusAt(factsOf([...working, completed({ atMs: 30 })]), ms(40));
    assert.equal(waiting.evidence, 'Its turn is over.');
    assert.equal(waiting.nextNs, ms(30 + 2 * MINUTE));
    const again = statusAt(factsOf([...working, completed({ atMs: 30 })]), waiting.nextNs);
    assert.equal(again.status, 'idle');
    const view = statusAt(factsOf([...working, asked('c', 'Bash', input)]), ms(1));
    assert.equal(view.evidence, 'Permission is asked for: npm run dev');
  });
});
