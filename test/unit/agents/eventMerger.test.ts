import assert from 'node:assert/strict';
import { unnamedCall } from '../../../src/agents/callNames.ts';
import { EventMerger } from '../../../src/agents/eventMerger.ts';
import type { AgentEvent } from '../../../src/agents/events.ts';
import { asked, call, completed, message, prompt, result } from './someEvents.ts';

const run = (events: readonly AgentEvent[], merger = new EventMerger()): AgentEvent[] =>
  events.flatMap((event) => merger.push(event));
const kinds = (events: readonly AgentEvent[]): string[] => events.map(({ kind }) => kind);
const input = { command: 'npm test' };

describe('EventMerger', () => {
  it('lets each record through once, however often it is read', () => {
    const events = [prompt('go'), message('I go'), call('c1', 'Bash', input), result('c1')];
    const merger = new EventMerger();
    assert.deepEqual(run(events, merger), events);
    assert.deepEqual(run([...events, ...events], merger), []);
  });

  it('takes a call that hook and transcript name alike for one, whoever is first', () => {
    const hook = [
      call('c1', 'Bash', input, { source: 'hook' }),
      result('c1', {}, { source: 'hook' }),
    ];
    const transcript = [call('c1', 'Bash', input), result('c1')];
    assert.deepEqual(kinds(run([...hook, ...transcript])), ['tool.call', 'tool.result']);
    assert.deepEqual(kinds(run([...transcript, ...hook])), ['tool.call', 'tool.result']);
  });

  it('joins calls that only the transcript names, twice the same one included', () => {
    const unnamed = unnamedCall('Bash', input);
    const hook = () => [
      call(unnamed, 'Bash', input, { source: 'hook' }),
      result(unnamed, {}, { source: 'hook' }),
    ];
    const first = [call('c1', 'Bash', input), result('c1')];
    const second = [call('c2', 'Bash', input), result('c2')];
    for (const order of [
      [...hook(), ...first, ...hook(), ...second],
      [...first, ...second, ...hook(), ...hook()],
      [...hook(), ...hook(), ...first, ...second],
      [...first, ...hook(), ...hook(), ...second],
    ]) {
      const merged = run(order);
      assert.deepEqual(kinds(merged), ['tool.call', 'tool.result', 'tool.call', 'tool.result']);
      const ids = merged.map((event) => 'callId' in event && event.callId);
      assert.equal(ids[0], ids[1]);
      assert.equal(ids[2], ids[3]);
      assert.notEqual(ids[0], ids[2]);
    }
  });

  it('keeps calls apart that differ', () => {
    const other = { command: 'ls' };
    const merged = run([call('c1', 'Bash', input), call('c2', 'Bash', other, { source: 'hook' })]);
    assert.equal(merged.length, 2);
  });

  it('counts prompts with the same words per source', () => {
    const hook = () => prompt('again', { source: 'hook' });
    assert.equal(run([hook(), prompt('again'), hook(), prompt('again')]).length, 2);
    assert.equal(run([hook(), hook(), prompt('again'), prompt('again')]).length, 2);
    assert.equal(run([prompt('again'), prompt('again '), hook()]).length, 2);
  });

  it('finds the call that a nameless request for approval is about', () => {
    const merged = run([
      call('c0', 'Bash', { command: 'ls' }),
      call('c1', 'Bash', input),
      call('c2', 'Write', { file_path: 'a' }),
      asked(unnamedCall('Bash', input), 'Bash', input, { source: 'hook' }),
      // The reminder that follows some seconds later.
      asked(unnamedCall('Bash', input), 'Bash', input, { source: 'hook' }),
    ]);
    const requests = merged.filter(({ kind }) => kind === 'approval.requested');
    assert.deepEqual(
      requests.map((event) => 'callId' in event && event.callId),
      ['c1'],
    );
  });

  it('says that an approval was given when the tool has run, and refused when it says so', () => {
    const allowed = run([call('c1', 'Bash', input), asked('c1', 'Bash', input), result('c1')]);
    assert.deepEqual(
      allowed.map((event) => event.kind === 'approval.resolved' && event.decision),
      [false, false, 'allowed', false],
    );
    const denied = run([
      call('c1', 'Bash', input),
      asked('c1', 'Bash', input),
      result('c1', { outcome: 'denied' }),
    ]);
    assert.ok(
      denied.some((event) => event.kind === 'approval.resolved' && event.decision === 'denied'),
    );
  });

  it('ends a turn once, and not the next one for it', () => {
    const merger = new EventMerger();
    run([prompt('one', { atMs: 1 })], merger);
    assert.equal(run([completed({ source: 'hook', atMs: 5 })], merger).length, 1);
    assert.equal(run([prompt('two', { atMs: 10 })], merger).length, 1);
    assert.equal(run([completed({ atMs: 5 })], merger).length, 0);
    assert.equal(run([completed({ atMs: 15 })], merger).length, 1);
    assert.equal(run([completed({ source: 'hook', atMs: 15 })], merger).length, 0);
  });

  it('ends what was under way when a turn is interrupted', () => {
    const merged = run([
      prompt('go'),
      call('c1', 'Bash', input),
      asked('c1', 'Bash', input),
      call('c2', 'Bash', { command: 'ls' }),
      completed({ atMs: 5 }, 'interrupted'),
      // The slow source.
      result('c1', { outcome: 'denied' }),
    ]);
    const ends = merged.slice(-4).map((event) => [event.kind, 'callId' in event && event.callId]);
    assert.deepEqual(ends, [
      ['approval.resolved', 'c1'],
      ['tool.result', 'c1'],
      ['tool.result', 'c2'],
      ['turn.completed', false],
    ]);
  });

  it('does not tell a call of calls that a hook has told one by one', () => {
    const script: AgentEvent[] = [
      { ...call('s', 'exec', 'code', { atMs: 1 }), confidence: 'medium' },
      { ...result('s', {}, { atMs: 3 }), confidence: 'medium' },
    ];
    const hook = [
      call('c1', 'Bash', input, { source: 'hook', atMs: 2 }),
      result('c1', {}, { source: 'hook', atMs: 2 }),
    ];
    assert.deepEqual(run([...hook, ...script]), hook);
    assert.equal(run(script).length, 2);
  });
});
