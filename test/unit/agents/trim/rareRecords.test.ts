import assert from 'node:assert/strict';
import { adapterOf } from '../../../../src/agents/adapters/adapters.ts';
import type { AgentAdapter } from '../../../../src/agents/common/adapter.ts';
import type { AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { KnownResults } from '../../../../src/agents/common/trimming/knownResults.ts';
import { textMover } from '../../../../src/agents/trim/movedText.ts';
import type { TrimmedSession, TrimRequest } from '../../../../src/agents/common/trimming/trim.ts';
import { parseFields, type Fields } from '../../../../src/agents/common/untrusted.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-01T01:00:00.000Z';
const UNTIL_NS = BigInt(Date.parse(TIME)) * 1_000_000n;

/** Records that the sessions in test/fixtures lack. */
describe('rare records of', () => {
  const adapter = (agent: string): AgentAdapter => adapterOf(agent)!;

  function parsed(agent: string, ...records: object[]): AgentEvent[] {
    const parser = adapter(agent).createParser();
    return records.flatMap((record) => parser.push(JSON.stringify(record), UNTIL_NS));
  }

  function hooked(agent: string, name: string, payload: Fields): AgentEvent[] {
    return adapter(agent).hookEvents({ name, payload, seenNs: UNTIL_NS });
  }

  function trimmed(agent: string, records: object[], more: Partial<TrimRequest> = {}) {
    const { lines, ...rest } = adapter(agent).trim({
      lines: records.map((record) => JSON.stringify(record)),
      certainLines: 0,
      untilNs: UNTIL_NS,
      session: 'new',
      results: new KnownResults(),
      moved: (text: string) => text,
      randomText: (length) => 'x'.repeat(length),
      ...more,
    });
    return { ...rest, records: lines.map((line) => parseFields(line)!) } satisfies Omit<
      TrimmedSession,
      'lines'
    > & { records: Fields[] };
  }

  /** The kind of each event, with its distinguishing field. */
  const told = (events: readonly AgentEvent[]) =>
    events.map((event) => {
      if (event.kind === 'error') return `error ${event.message}`;
      if (event.kind === 'tool.result') return `result ${event.outcome}`;
      if (event.kind === 'turn.completed') return `end ${event.outcome}`;
      if (event.kind === 'approval.resolved') return event.decision;
      return event.kind;
    });

  it('Claude Code: refusals, reminders, failures and checkpoints', () => {
    const hook = (name: string, payload: Fields) => told(hooked('claudeCode', name, payload));
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'c1' };
    assert.deepEqual(hook('PermissionDenied', call), ['denied']);
    const notified = (type: string) => hook('Notification', { notification_type: type });
    assert.deepEqual(notified('permission_prompt'), ['approval.requested']);
    assert.deepEqual(notified('idle_prompt'), ['status.changed']);
    assert.deepEqual(notified('auth_success'), []);
    const base = { timestamp: TIME, uuid: 'u1', sessionId: 's1' };
    const content = [{ type: 'text', text: 'Overloaded' }];
    const said = { ...base, type: 'assistant', isApiErrorMessage: true, message: { content } };
    assert.deepEqual(told(parsed('claudeCode', said)).slice(-1), ['error Overloaded']);
    const system = { ...base, type: 'system', subtype: 'api_error' };
    assert.deepEqual(told(parsed('claudeCode', system)).slice(-1), [
      'error The API request failed.',
    ]);
    const checkpoint = { ...base, type: 'file-history-snapshot', messageId: 'm1' };
    assert.ok(told(parsed('claudeCode', checkpoint)).includes('checkpoint'));
    const update = { ...checkpoint, isSnapshotUpdate: true };
    assert.ok(!told(parsed('claudeCode', update)).includes('checkpoint'));
  });

  it('Codex: failures, refusals, records of old versions, and calls that end with their output', () => {
    const of = (type: string, payload: object) => ({ timestamp: TIME, type, payload });
    const codex = (...records: object[]) => told(parsed('codex', ...records));
    assert.deepEqual(codex(of('event_msg', { type: 'stream_error', message: 'lost' })), [
      'error lost',
    ]);
    assert.deepEqual(codex(of('event_msg', { type: 'agent_message', message: 'hello' })), [
      'assistant.message',
    ]);
    assert.deepEqual(codex(of('event_msg', { type: 'user_message' })), []);
    const call = { type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{"a":1}' };
    const output = { type: 'function_call_output', call_id: 'c1', output: 'done' };
    assert.deepEqual(codex(of('response_item', call), of('response_item', output)), [
      'tool.call',
      'result ok',
    ]);
    const item = (status: string) =>
      of('event_msg', { type: 'item_completed', item: { type: 'WebSearch', id: 'c1', status } });
    assert.deepEqual(codex(item('declined')), ['tool.call', 'result denied']);
    assert.deepEqual(codex(item('interrupted')), ['tool.call', 'result interrupted']);
    assert.deepEqual(
      codex(of('response_item', call), item('completed')),
      ['tool.call', 'result ok'],
      'a call is reported once',
    );
  });

  it('Copilot: failures, refusals and compaction', () => {
    const of = (type: string, data: object) => ({ type, id: 'r1', timestamp: TIME, data });
    assert.deepEqual(told(parsed('copilot', of('session.compaction_complete', {}))), [
      'context.compacted',
    ]);
    assert.deepEqual(told(parsed('copilot', of('session.error', {}))), ['error The agent failed.']);
    const denied = { toolCallId: 'c1', success: false, error: { code: 'denied' } };
    assert.ok(
      told(parsed('copilot', of('tool.execution_complete', denied))).includes('result denied'),
    );
  });

  it('Gemini: failures, and notifications without a question', () => {
    const failed = { id: 'm1', timestamp: TIME, type: 'error', content: 'quota' };
    assert.deepEqual(told(parsed('gemini', failed)), ['error quota']);
    assert.deepEqual(hooked('gemini', 'Notification', { notification_type: 'Other' }), []);
  });

  it('opencode: failures, interruptions, compaction, and invalid lines', () => {
    const hook = (type: string, properties: Fields) =>
      told(hooked('opencode', type, { type, properties }));
    assert.deepEqual(hook('session.compacted', {}), ['context.compacted']);
    assert.deepEqual(hook('session.error', { error: { name: 'MessageAbortedError' } }), [
      'end interrupted',
    ]);
    const [failure] = hook('session.error', { error: { name: 'X', data: { message: 'no' } } });
    assert.match(failure!, /^error /);
    const parser = adapter('opencode').createParser();
    assert.deepEqual(
      parser.push('{', 0n).map(({ kind }) => kind),
      ['unknown'],
    );
    assert.deepEqual(parser.push('{"table":"session","id":"s"}', 0n), []);
    const part = {
      type: 'tool',
      callID: 'c1',
      tool: 'bash',
      state: { status: 'error', error: 'Tool execution aborted', time: { start: 1, end: 2 } },
    };
    assert.ok(hook('message.part.updated', { part }).includes('result interrupted'));
  });

  describe('a trimmed session', () => {
    it('of Copilot has no message with only a running call', () => {
      const of = (id: string, type: string, data: object) => ({ id, type, timestamp: TIME, data });
      const request = { toolCallId: 'c1', name: 'bash', arguments: {} };
      const { records, openCalls } = trimmed('copilot', [
        of('1', 'user.message', { content: 'go' }),
        of('2', 'assistant.message', { content: '', toolRequests: [request] }),
        of('3', 'tool.execution_start', { toolCallId: 'c1', toolName: 'bash', arguments: {} }),
      ]);
      assert.deepEqual(
        records.map(({ type }) => type),
        ['user.message'],
      );
      assert.deepEqual(
        openCalls.map(({ callId }) => callId),
        ['c1'],
      );
    });

    it('of Gemini has no message with only a running call, and ignores later rewinds', () => {
      const message = (id: string, timestamp: string, more: object) => ({ id, timestamp, ...more });
      const records = [
        { startTime: TIME, sessionId: 'old' },
        message('1', TIME, { type: 'user', content: 'go' }),
        message('2', TIME, { type: 'gemini', content: '', toolCalls: [{ id: 'c1', name: 'ls' }] }),
        { $rewindTo: '1' },
        message('3', LATER, { type: 'user', content: 'later' }),
      ];
      const ids = (all: object[]) =>
        trimmed('gemini', all).records.flatMap(({ id }) => (id === undefined ? [] : [id]));
      assert.deepEqual(ids(records), ['1']);
      const inTime = [...records.slice(0, 4), message('3', TIME, { type: 'user', content: 'x' })];
      assert.deepEqual(ids(inTime), ['3'], 'the rewind belongs to the moment');
    });

    it('of Codex has no thought at its end', () => {
      const of = (payload: object) => ({ timestamp: TIME, type: 'response_item', payload });
      const head = { timestamp: TIME, type: 'session_meta', payload: { id: 'old', cwd: '/a' } };
      const content = [{ type: 'input_text', text: 'go' }];
      const { records } = trimmed('codex', [
        head,
        of({ type: 'message', role: 'user', content }),
        of({ type: 'reasoning', encrypted_content: 'x' }),
      ]);
      assert.ok(records.length >= 2);
      assert.ok(
        !JSON.stringify(records, (_, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        ).includes('"reasoning"'),
      );
    });

    it('moves paths in a text that only looks like JSON', () => {
      const moved = textMover([{ from: '/old', to: '/new "place"' }]);
      assert.equal(moved('{"path":"/old/a"}'), '{"path":"/new \\"place\\"/a"}');
      assert.equal(moved('{ cd /old/a; }'), '{ cd /new "place"/a; }');
    });
  });
});
