import assert from 'node:assert/strict';
import { statusEvidence } from '../../../../../src/agents/common/status/evidence.ts';
import type { AgentEvent, AgentStatus } from '../../../../../src/agents/common/events/events.ts';
import {
  NO_FACTS,
  statusAt,
  withEvent,
  withOutput,
} from '../../../../../src/agents/common/status/status.ts';
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
  turnResumed,
} from '../someEvents.ts';

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
    ['a running tool call', working, 100, 'running'],
    ['a command without output for an hour', working, 60 * MINUTE, 'running'],
    [
      'a requested approval',
      [...working, asked('c', 'Bash', input, { atMs: 20 })],
      100,
      'waiting_approval',
    ],
    [
      'an approval requested an hour ago',
      [...working, asked('c', 'Bash', input, { atMs: 20 })],
      60 * MINUTE,
      'waiting_approval',
    ],
    [
      'a granted approval',
      [...working, asked('c', 'Bash', input), resolved('c', 'allowed')],
      100,
      'running',
    ],
    [
      'a denied approval, after the turn',
      [
        ...working,
        asked('c', 'Bash', input),
        result('c', { outcome: 'denied' }),
        completed({ atMs: 30 }, 'interrupted'),
      ],
      100,
      'waiting',
    ],
    ['the end of a turn', [...working, result('c'), completed({ atMs: 30 })], 100, 'waiting'],
    ['the end of a turn long ago', [...working, completed({ atMs: 30 })], 3 * MINUTE, 'idle'],
    [
      'a prompt after a turn',
      [...working, completed({ atMs: 30 }), prompt('x', { atMs: 40 })],
      50,
      'running',
    ],
    [
      'the late end of the previous turn',
      [...working, prompt('x', { atMs: 40 }), completed({ atMs: 30 })],
      50,
      'running',
    ],
    [
      'the end of the program',
      [...working, asked('c', 'Bash', input), exited({ atMs: 30 })],
      50,
      'exited',
    ],
    [
      'the end of a conversation in a running program',
      [...working, asked('c', 'Bash', input), exited({ atMs: 30, source: 'hook' })],
      50,
      'waiting',
    ],
    [
      'the late end of the previous conversation',
      [...working, prompt('x', { atMs: 40 }), exited({ atMs: 30, source: 'transcript' })],
      50,
      'running',
    ],
    [
      'the end of the program, and then the late end of the conversation',
      [...working, exited({ atMs: 30 }), exited({ atMs: 29, source: 'transcript' })],
      50,
      'exited',
    ],
    [
      'the end of a session, then another session',
      [exited({ atMs: 1 }), prompt('x', { atMs: 2 })],
      5,
      'running',
    ],
    [
      'a title with a question',
      [...working, title('waiting_approval', 20)],
      100,
      'waiting_approval',
    ],
    [
      'a title after a question',
      [...working, title('waiting_approval', 20), title('running', 30)],
      100,
      'running',
    ],
    ['Esc, known from the title alone', [...working, title('waiting', 20)], 100, 'waiting'],
    [
      'an answer shown only by the title, then silence',
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
      'an old title just after a question',
      [...working, asked('c', 'Bash', input, { atMs: 20 }), title('running', 400)],
      MINUTE,
      'waiting_approval',
    ],
    [
      'a title without a status during a question, then a "running" title',
      [...working, asked('c', 'Bash', input, { atMs: 20 }), title('running', 3000)],
      60 * MINUTE,
      'running',
    ],
    [
      'a command that waits for keys, after an answered question',
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
    ['only titles, long ago', [title('running', 0)], 40 * SECOND, 'unknown'],
    ['only a message', [message('hi')], 10, 'unknown'],
    ['a turn that goes on after a pause', [turnResumed(20)], 60 * MINUTE, 'running'],
    [
      'a turn that ends after a pause',
      [...working, turnResumed(20), completed({ atMs: 20 })],
      30,
      'waiting',
    ],
    ['only a message, long ago', [message('hi')], 3 * MINUTE, 'idle'],
    [
      'two approvals, one of them granted',
      [...working, asked('c', 'Bash', input), asked('d', 'Bash', input), resolved('c', 'allowed')],
      9,
      'waiting_approval',
    ],
  ];
  for (const [name, events, nowMs, expected] of table) {
    it(`${name}: ${expected}`, () => assert.equal(statusOf(events, nowMs), expected));
  }

  it('does not conclude waiting from silence, or working from output', () => {
    const facts = withOutput(NO_FACTS, ms(0));
    assert.equal(statusAt(facts, ms(10)).status, 'unknown');
    assert.equal(statusAt(facts, ms(3 * MINUTE)).status, 'idle');
    assert.equal(statusAt(withOutput(facts, ms(3 * MINUTE)), ms(3 * MINUTE)).status, 'unknown');
  });

  it('has its evidence and the time of the next check', () => {
    const waiting = statusAt(factsOf([...working, completed({ atMs: 30 })]), ms(40));
    assert.equal(statusEvidence(waiting), 'The agent’s turn has ended.');
    assert.equal(waiting.nextNs, ms(30 + 2 * MINUTE));
    const again = statusAt(factsOf([...working, completed({ atMs: 30 })]), waiting.nextNs);
    assert.equal(again.status, 'idle');
    const view = statusAt(factsOf([...working, asked('c', 'Bash', input)]), ms(1));
    assert.equal(statusEvidence(view), 'Waiting for approval: npm run dev');
  });
});
