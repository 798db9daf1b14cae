import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { adapterOf } from '../../../../src/agents/adapters/adapters.ts';
import { EventMerger } from '../../../../src/agents/common/events/eventMerger.ts';
import type { AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { THREE_TOOLS, conversationOf } from '../common/conversation.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../fixtures/agents');

/** Real sessions with compacted context. */
describe('sessions that were compacted', () => {
  const linesOf = (agent: string): string[] =>
    readFileSync(path.join(FIXTURES, agent, 'compacted.transcript.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1);
  function eventsOf(agent: string, lines: readonly string[]): AgentEvent[] {
    const parser = adapterOf(agent)!.createParser();
    const merger = new EventMerger();
    return lines.flatMap((line) => parser.push(line, 0n)).flatMap((event) => merger.push(event));
  }
  const countOf = (events: readonly AgentEvent[], kind: string): number =>
    events.filter((event) => event.kind === kind).length;

  it('Claude Code: reported once; the summary is not a prompt', () => {
    const events = eventsOf('claudeCode', linesOf('claudeCode'));
    const after = ['prompt @@hi again', 'message Hello from the script.'];
    assert.deepEqual(conversationOf(events), [...THREE_TOOLS, ...after]);
    assert.equal(countOf(events, 'context.compacted'), 1);
    assert.equal(countOf(events, 'unknown'), 0);
  });

  it('Claude Code: ignores records of subagents', () => {
    const lines = linesOf('claudeCode');
    const withHelpers = lines.flatMap((line, index) => {
      const record = JSON.parse(line) as { type: string; uuid?: string; message?: object };
      if (!record.message || record.uuid === undefined) return [line];
      const message = { ...record.message, id: `msg_helper_${index}` };
      const helper = { ...record, uuid: `helper-${index}`, isSidechain: true, message };
      return [JSON.stringify(helper), line];
    });
    assert.ok(withHelpers.length > lines.length + 10);
    assert.deepEqual(eventsOf('claudeCode', withHelpers), eventsOf('claudeCode', lines));
  });

  it('Codex: reported once each time, without a tool call', () => {
    const lines = linesOf('codex');
    const events = eventsOf('codex', lines);
    assert.equal(countOf(events, 'context.compacted'), 2);
    const tools = events.flatMap((event) => (event.kind === 'tool.call' ? [event.title] : []));
    assert.deepEqual(new Set(tools), new Set(['echo one >> notes.txt; cat notes.txt']));
    // Other versions also write a message.
    const twice = lines.flatMap((line) => {
      if ((JSON.parse(line) as { type: string }).type !== 'compacted') return [line];
      const payload = { type: 'context_compacted' };
      const timestamp = '2026-11-16T12:03:03.999Z';
      return [line, JSON.stringify({ timestamp, type: 'event_msg', payload })];
    });
    assert.deepEqual(eventsOf('codex', twice), events);
  });
});
