import assert from 'node:assert/strict';
import {
  FORGOTTEN_NS,
  STUCK_NS,
  type Concern,
} from '../../../../src/agents/common/status/concernDetector.ts';
import type { AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { LiveSession } from '../../../../src/agents/common/liveSession.ts';
import { summarize } from '../../../../src/agents/common/turns/summary.ts';
import { asked, call, completed, message, prompt, resolved, result } from './someEvents.ts';

function run(events: readonly AgentEvent[], session = new LiveSession()): Concern[] {
  return events.flatMap((event) => session.push(event));
}

let nth = 0;
function ran(command: string, isFailed = false): AgentEvent[] {
  const id = `r${++nth}`;
  return [call(id, 'Bash', { command }), result(id, { outcome: isFailed ? 'failed' : 'ok' })];
}

function edited(before: string, after: string): AgentEvent {
  const input = { file_path: '/w/a.ts', old_string: before, new_string: after };
  return call(`e${++nth}`, 'Edit', input);
}

describe('LiveSession', () => {
  it('reports a loop once, and again after the next prompt', () => {
    const session = new LiveSession();
    const same = [1, 2, 3, 4, 5, 6].flatMap(() => ran('ls'));
    const concerns = run([prompt('a'), ...same], session);
    assert.deepEqual(concerns, [{ kind: 'loop', title: 'ls', count: 4 }]);
    assert.equal(run([prompt('b'), ...same], session).length, 1);
    const different = Array.from({ length: 50 }, (_, index) => ran(`cmd ${index}`)).flat();
    assert.deepEqual(run([prompt('c'), ...different], session), []);
  });

  it('reports a command that fails repeatedly, but not one that succeeds in between', () => {
    const failing = [prompt('a'), ...ran('npm test', true), ...ran('npm test', true)];
    assert.deepEqual(run([...failing, ...ran('npm test', true)]), [
      { kind: 'repeatedFailure', title: 'npm test', count: 3 },
    ]);
    assert.deepEqual(run([...failing, ...ran('npm test'), ...ran('npm run x', true)]), []);
  });

  it('reports edits that are reverted and repeated', () => {
    const events = [edited('a', 'b'), edited('b', 'a'), edited('a', 'b'), edited('b', 'a')];
    assert.deepEqual(run([prompt('go'), ...events]), [{ kind: 'editRevert', file: '/w/a.ts' }]);
    assert.deepEqual(run([prompt('go'), edited('a', 'b'), edited('b', 'c')]), []);
  });

  it('reports a stuck agent, but not while a command runs or a question is open', () => {
    const stuck = new LiveSession();
    run([prompt('go')], stuck);
    assert.deepEqual(stuck.concerns(STUCK_NS - 1n), []);
    assert.equal(stuck.concerns(STUCK_NS)[0]?.kind, 'stuck');
    assert.deepEqual(stuck.concerns(STUCK_NS * 2n), []);

    const busy = new LiveSession();
    run([prompt('go'), call('c', 'Bash', { command: 'npm run dev' })], busy);
    assert.deepEqual(busy.concerns(STUCK_NS * 100n), []);

    const printing = new LiveSession();
    run([prompt('go')], printing);
    printing.output(STUCK_NS);
    assert.deepEqual(printing.concerns(STUCK_NS + 5n), []);
  });

  it('reports a forgotten approval', () => {
    const session = new LiveSession();
    const input = { command: 'rm -rf /' };
    run([prompt('go'), call('c', 'Bash', input), asked('c', 'Bash', input)], session);
    assert.deepEqual(session.concerns(FORGOTTEN_NS - 1n), []);
    assert.equal(session.concerns(FORGOTTEN_NS)[0]?.kind, 'approvalForgotten');
    const answered = new LiveSession();
    run([prompt('go'), asked('c', 'Bash', input), resolved('c', 'allowed')], answered);
    assert.ok(!answered.concerns(FORGOTTEN_NS).some(({ kind }) => kind === 'approvalForgotten'));
  });

  it('keeps the last 200 events, 64 KB and 10 turns, and drops pieces of answers first', () => {
    const session = new LiveSession();
    for (let turn = 0; turn < 30; turn++) run([prompt(`p${turn}`), completed()], session);
    assert.equal(session.turns.length, 10);
    assert.equal(session.turnCount, 30);
    assert.equal(session.turns.at(-1)?.prompt, 'p29');

    const first = prompt('the first');
    const mixed = new LiveSession();
    mixed.push(first);
    for (let index = 0; index < 1000; index++) {
      mixed.push({ ...message('x'), kind: 'assistant.delta' } as AgentEvent);
    }
    assert.equal(mixed.recent.length, 200);
    assert.equal(mixed.recent[0], first);

    const long = new LiveSession();
    for (let index = 0; index < 100; index++) long.push(message('x'.repeat(10_000)));
    assert.ok(long.recent.length < 7 && long.recent.length > 4);
    long.push(message('y'.repeat(100_000)));
    assert.ok(long.recent.length > 4, 'one long event does not push out all others');
  });

  it('has a summary of three redacted lines', () => {
    const session = new LiveSession();
    const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    run(
      [
        prompt(`use ${key} to\nfix it`, { atMs: 1 }),
        ...ran('npm test', true),
        call('c2', 'Edit', { file_path: '/w/a.ts' }),
        result('c2', { files: ['/w/a.ts', '/w/b.ts'] }),
        call('c3', 'Bash', { command: `curl -H "Authorization: Bearer ${key}"` }),
      ],
      session,
    );
    const summary = summarize(session.turns, session.status(2_000_000n));
    assert.equal(summary.current, 'Running curl -H "Authorization: Bearer [redacted]"');
    assert.equal(summary.lastPrompt, 'use [redacted] to fix it');
    assert.equal(summary.recent, 'changed a.ts, b.ts, npm test failed');
    run([result('c3'), message('Done. More.', { atMs: 9 }), completed({ atMs: 10 })], session);
    assert.equal(summarize(session.turns, session.status(11_000_000n)).current, 'Done.');
  });
});
