import assert from 'node:assert/strict';
import { boundedInput } from '../../../../src/agents/common/bounded.ts';
import { valueOf } from '../../../../src/agents/common/continuation/commandLine.ts';
import { parseEventLine } from '../../../../src/agents/common/events/eventLine.ts';
import { EventMerger } from '../../../../src/agents/common/events/eventMerger.ts';
import type { AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { exactInput } from '../../../../src/agents/common/events/exactInput.ts';
import { factOf } from '../../../../src/agents/common/events/fact.ts';
import { LiveSession } from '../../../../src/agents/common/liveSession.ts';
import { noticesOf } from '../../../../src/agents/common/status/notice.ts';
import { RedactedLines } from '../../../../src/redaction/redactedLines.ts';
import { replayText } from '../../../../src/agents/common/continuation/replayText.ts';
import type { StatusView } from '../../../../src/agents/common/status/status.ts';
import { summarize } from '../../../../src/agents/common/turns/summary.ts';
import { withTurnEvent, type Turn } from '../../../../src/agents/common/turns/turns.ts';
import { call, completed, message, prompt, result, title } from './someEvents.ts';

const failed = (text: string): AgentEvent => ({
  ...title('running', 1),
  kind: 'error',
  message: text,
});
const unknown = (): AgentEvent => ({
  ...title('running', 1),
  kind: 'unknown',
  name: 'x',
  raw: {},
});

describe('secrets in lines', () => {
  const redacted = (lines: readonly string[], known: readonly string[] = []) => {
    const redactor = new RedactedLines(known);
    return lines.map((line) => redactor.next(line));
  };
  const KEY = Array.from({ length: 3 }, (_, at) => `MIIEpAIBAAKCAQEA7bq${at}Xk2vQ9ZfJ8mPd`);

  it('are all lines of a private key, also with screen drawing in between, and no others', () => {
    const lines = [
      'cat key: -----BEGIN RSA PRIVATE KEY-----',
      ...KEY,
      '',
      'a status line',
      KEY[0]!,
      '-----END RSA PRIVATE KEY----- $',
      'ls',
      '-----BEGIN PRIVATE KEY----- is how it begins',
    ];
    const safe = redacted(lines);
    for (const [at, line] of safe.slice(0, 8).entries())
      assert.ok(!KEY.some((word) => line.includes(word)), `line ${at}: ${line}`);
    assert.match(safe[0]!, /^cat key: /);
    assert.match(safe[7]!, / \$$/);
    assert.equal(safe[8], 'ls');
  });

  it('end when a key is only mentioned', () => {
    const lines = [
      '-----BEGIN PRIVATE KEY-----',
      ...Array.from({ length: 14 }, (_, at) => `w ${at}`),
    ];
    assert.equal(redacted(lines).at(-1), 'w 13');
  });

  it('include known secrets, also across a line end', () => {
    const known = ['hunter2-hunter2'];
    const safe = redacted(['it is hunter2-hunter2 here', 'and hunter2-h', 'unter2 there'], known);
    assert.ok(!safe.join('\n').includes('unter2'), safe.join('\n'));
    assert.match(safe[0]!, /^it is .* here$/);
  });
});

describe('texts of agents', () => {
  it('shortens a long input at any depth, and keeps its structure', () => {
    const deep = { a: { b: { c: { d: 'too deep' } } } };
    const long = { text: 'x'.repeat(3_000_000), list: [1, null, 'y'.repeat(3_000_000)], deep };
    const bounded = boundedInput(long) as typeof long;
    assert.ok(JSON.stringify(bounded).length < 1_000_000);
    assert.deepEqual(bounded.list.slice(0, 2), [1, null]);
    assert.equal(JSON.stringify(bounded.deep), '{"a":{"b":"…"}}');
  });

  it('reads no option after two dashes', () => {
    assert.equal(valueOf(['-m', 'x', '--', '--model', 'y'], ['--model']), undefined);
    assert.equal(valueOf(['--model=y', '--', 'z'], ['--model']), 'y');
  });

  it('refuses an event line that is too long', () => {
    assert.equal(parseEventLine(' '.repeat(4 * 1024 * 1024 + 1)), 'The line is too long.');
  });

  it('shows an edit that only adds or only removes', () => {
    assert.equal(exactInput('Edit', { file_path: '/a', new_string: 'b\n' }), '--- /a\n+b');
    assert.equal(exactInput('Edit', { file_path: '/a', old_string: 'b\n' }), '--- /a\n-b');
  });

  it('makes facts of failures, but not of internal events', () => {
    assert.deepEqual(factOf(failed('quota')), { kind: 'failure', text: 'quota' });
    assert.equal(factOf(unknown()), undefined);
    assert.equal(factOf(message('  ')), undefined);
  });

  it('replays prompts, answers and tool calls to a new agent', () => {
    const text = replayText([prompt('fix it', { atMs: 1 }), message('I look.', { atMs: 2 })]);
    assert.match(text!, /\n\nUser: fix it\n\nYou: I look\.$/);
    assert.equal(replayText([unknown()]), undefined);
  });
});

describe('the state of an agent', () => {
  const turnsOf = (events: readonly AgentEvent[]) =>
    events.reduce<readonly Turn[]>(withTurnEvent, []);
  const view = (status: StatusView['status']): StatusView => ({
    status,
    confidence: 'high',
    reason: 'asked',
    subject: 'Bash',
    sinceNs: undefined,
    isPromptReady: false,
    nextNs: undefined,
  });
  const input = { command: 'npm test' };

  it('has a summary for every status', () => {
    const current = (status: StatusView['status'], ...events: AgentEvent[]) =>
      summarize(turnsOf([prompt('go'), ...events]), view(status)).current;
    assert.equal(current('waiting_approval'), 'Waiting for approval: Bash');
    assert.equal(current('running', call('c', 'Bash', input)), 'Running npm test');
    assert.equal(current('running'), 'Working on the prompt');
    assert.equal(current('exited'), 'Ended');
    assert.equal(current('unknown'), '');
    const denied = [call('c', 'Bash', input), result('c', { outcome: 'denied' }), failed('quota')];
    const { recent } = summarize(turnsOf([prompt('go'), ...denied]), view('waiting'));
    assert.match(recent, /denied: npm test/);
    assert.match(recent, /failed: quota/);
  });

  it('survives an event of a later version, and is reset by an unknown status', () => {
    const session = new LiveSession();
    session.push(prompt('go', { atMs: 1 }));
    assert.equal(session.status(2_000_000n).status, 'running');
    session.push(unknown());
    assert.equal(session.status(2_000_000n).status, 'running');
    session.push(title('unknown', 3));
    assert.equal(session.status(4_000_000n).status, 'unknown');
  });

  it('ends once when a turn ends twice', () => {
    const merger = new EventMerger();
    const end = completed({ id: 'end', atMs: 2 });
    const again = completed({ id: 'end', atMs: 3, source: 'hook' });
    const all = [prompt('a', { atMs: 1 }), end, prompt('b', { atMs: 2 }), again];
    const told = all.flatMap((event) => merger.push(event)).map(({ kind }) => kind);
    assert.deepEqual(told, ['user.prompt', 'turn.completed', 'user.prompt']);
  });

  it('has a notice for each concern', () => {
    const status = view('running');
    const notices = noticesOf({
      status,
      statusBefore: status,
      events: [],
      concerns: [
        { kind: 'loop', title: 'npm test', count: 5 },
        { kind: 'editRevert', file: '/a' },
        { kind: 'stuck', sinceNs: 1n },
        { kind: 'approvalForgotten', title: 'rm', sinceNs: 1n },
      ],
    });
    assert.deepEqual(
      notices.map(({ kind, subject }) => [kind, subject]),
      [
        ['looping', 'npm test'],
        ['looping', '/a'],
        ['stuck', ''],
        ['approval', 'rm'],
      ],
    );
  });
});
