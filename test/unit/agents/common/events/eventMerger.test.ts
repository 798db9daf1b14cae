import assert from 'node:assert/strict';
import { unnamedCall } from '../../../../../src/agents/common/events/callNames.ts';
import { EventMerger } from '../../../../../src/agents/common/events/eventMerger.ts';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { durationMs, turnsOf } from '../../../../../src/agents/common/turns/turns.ts';
import { asked, call, completed, message, prompt, result, title } from '../someEvents.ts';

const run = (events: readonly AgentEvent[], merger = new EventMerger()): AgentEvent[] =>
  events.flatMap((event) => merger.push(event));
const kinds = (events: readonly AgentEvent[]): string[] => events.map(({ kind }) => kind);
const input = { command: 'npm test' };
/** The event that a "ready" title becomes. */
const ready = (atMs: number): AgentEvent => completed({ source: 'osc', atMs });

describe('EventMerger', () => {
  it('passes each record once, however often it is read', () => {
    const events = [prompt('go'), message('I go'), call('c1', 'Bash', input), result('c1')];
    const merger = new EventMerger();
    assert.deepEqual(run(events, merger), events);
    assert.deepEqual(run([...events, ...events], merger), []);
  });

  it('merges a call with the same ID in hook and transcript, in any order', () => {
    const hook = [
      call('c1', 'Bash', input, { source: 'hook' }),
      result('c1', {}, { source: 'hook' }),
    ];
    const transcript = [call('c1', 'Bash', input), result('c1')];
    assert.deepEqual(kinds(run([...hook, ...transcript])), ['tool.call', 'tool.result']);
    assert.deepEqual(kinds(run([...transcript, ...hook])), ['tool.call', 'tool.result']);
  });

  it('merges calls with an ID only in the transcript, also two equal ones', () => {
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

  it('keeps different calls apart', () => {
    const other = { command: 'ls' };
    const merged = run([call('c1', 'Bash', input), call('c2', 'Bash', other, { source: 'hook' })]);
    assert.equal(merged.length, 2);
  });

  it('counts prompts with the same text per source', () => {
    const hook = () => prompt('again', { source: 'hook' });
    assert.equal(run([hook(), prompt('again'), hook(), prompt('again')]).length, 2);
    assert.equal(run([hook(), hook(), prompt('again'), prompt('again')]).length, 2);
    assert.equal(run([prompt('again'), prompt('again '), hook()]).length, 2);
  });

  it('finds the call of a request for approval without an ID', () => {
    const merged = run([
      call('c0', 'Bash', { command: 'ls' }),
      call('c1', 'Bash', input),
      call('c2', 'Write', { file_path: 'a' }),
      asked(unnamedCall('Bash', input), 'Bash', input, { source: 'hook' }),
      // Claude Code repeats the request some seconds later.
      asked(unnamedCall('Bash', input), 'Bash', input, { source: 'hook' }),
    ]);
    const requests = merged.filter(({ kind }) => kind === 'approval.requested');
    assert.deepEqual(
      requests.map((event) => 'callId' in event && event.callId),
      ['c1'],
    );
  });

  it("infers an approval or denial from the tool's result", () => {
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

  it('ends a turn once, and not the next turn instead', () => {
    const merger = new EventMerger();
    run([prompt('one', { atMs: 1 })], merger);
    assert.equal(run([completed({ source: 'hook', atMs: 5 })], merger).length, 1);
    assert.equal(run([prompt('two', { atMs: 10 })], merger).length, 1);
    assert.equal(run([completed({ atMs: 5 })], merger).length, 0);
    assert.equal(run([completed({ atMs: 15 })], merger).length, 1);
    assert.equal(run([completed({ source: 'hook', atMs: 15 })], merger).length, 0);
  });

  it('ends a turn by a title that precedes its prompt in the transcript', () => {
    const merger = new EventMerger();
    // First a turn that Esc interrupts, reported by the transcript and then by the title. Then a
    // short answer: its prompt and text are read only after its end.
    const before = run(
      [
        title('waiting', 0),
        ready(0),
        title('running', 100),
        prompt('sleep', { atMs: 120 }),
        completed({ atMs: 9000 }, 'interrupted'),
        title('waiting', 9050),
        ready(9050),
        title('running', 12_000),
        title('waiting', 12_337),
        ready(12_337),
      ],
      merger,
    );
    assert.equal(before.filter(({ kind }) => kind === 'turn.completed').length, 1);
    const late = [prompt('hi', { atMs: 12_027 }), message('Hello', { atMs: 12_040 })];
    const merged = run(late, merger);
    assert.deepEqual(kinds(merged), ['user.prompt', 'turn.completed', 'assistant.message']);
    const [turn] = turnsOf([...before, ...merged]).slice(-1);
    assert.deepEqual([turn?.outcome, durationMs(turn!), turn?.answer], ['done', 310, 'Hello']);
    assert.deepEqual(run(late, merger), []);
    // The next turn stays open until its own end is reported.
    const next = [title('running', 20_000), prompt('next', { atMs: 20_010 })];
    assert.deepEqual(kinds(run(next, merger)), ['status.changed', 'user.prompt']);
    const end = run([title('waiting', 20_100), ready(20_100)], merger);
    assert.deepEqual(kinds(end), ['status.changed', 'turn.completed']);
  });

  it('does not end a turn by a late title', () => {
    // The late title belongs to the previous turn, whose end the transcript has reported.
    const behind = [
      title('running', 0),
      prompt('one', { atMs: 10 }),
      completed({ atMs: 500 }),
      title('waiting', 900),
      ready(900),
    ];
    const two = prompt('two', { atMs: 800 });
    assert.deepEqual(run([...behind, two]).at(-1), two);
    // Here, a later title shows that the agent works again.
    const again = [title('running', 0), title('waiting', 900), ready(900), title('running', 950)];
    assert.deepEqual(run([...again, two]).at(-1), two);
  });

  it('ends each of several turns that are read after all have ended', () => {
    const merged = run([
      title('running', 0),
      title('waiting', 300),
      ready(300),
      title('running', 400),
      title('waiting', 900),
      ready(900),
      prompt('one', { atMs: 10 }),
      prompt('two', { atMs: 410 }),
    ]);
    const turns = turnsOf(merged).map((turn) => [turn.prompt, turn.outcome, durationMs(turn)]);
    assert.deepEqual(turns, [
      ['one', 'done', 400],
      ['two', 'done', 490],
    ]);
    assert.equal(new Set(merged.map(({ id }) => id)).size, merged.length);
  });

  it('ends open calls when a turn is interrupted', () => {
    const merged = run([
      prompt('go'),
      call('c1', 'Bash', input),
      asked('c1', 'Bash', input),
      call('c2', 'Bash', { command: 'ls' }),
      completed({ atMs: 5 }, 'interrupted'),
      // The slower source reports this result after the interruption.
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

  it('drops a script call whose calls the hooks have reported', () => {
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
