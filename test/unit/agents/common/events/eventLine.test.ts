import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventLine, parseEventLine } from '../../../../../src/agents/common/events/eventLine.ts';
import { inOrder, type AgentEvent } from '../../../../../src/agents/common/events/events.ts';
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

const ALL: readonly AgentEvent[] = [
  prompt('say "hi"\n\u2028\0'),
  message('ü'),
  call('c1', 'Bash', { command: 'ls', big: 12345678901234567890n }),
  result('c1', { exitCode: -1, durationMs: 1.5, files: ['a b'] }),
  asked('c1', 'Bash', 'text'),
  resolved('c1', 'denied'),
  completed(),
  exited(),
  tokens(1, 2),
];

describe('the line of an event', () => {
  it('is parsed unchanged, including nanoseconds and long numbers', () => {
    for (const event of ALL) {
      const timed = { ...event, timeNs: 1_794_802_757_929_793_043n, byte: 17 };
      const line = eventLine(timed);
      assert.ok(line.includes('"timeNs":1794802757929793043'));
      assert.equal(line.indexOf('\n'), line.length - 1);
      assert.deepEqual(parseEventLine(line), timed);
    }
  });

  it('has exact times, also small ones', () => {
    const read = parseEventLine(eventLine({ ...ALL[0]!, timeNs: 7n }));
    assert.equal(typeof read === 'object' && read.timeNs, 7n);
  });

  it('gives an error sentence for bad lines, and never throws', () => {
    for (const line of ['', '{', '[]', '{}', '{"kind":"error"}', 'null', '"x"', '{"kind":1}']) {
      assert.equal(typeof parseEventLine(line), 'string');
    }
    const [event] = ALL;
    for (const wrong of [{ source: 'rumour' }, { text: 5 }, { timeNs: 'x' }, { byte: -1 }]) {
      const line = eventLine({ ...event, ...wrong } as unknown as AgentEvent);
      assert.match(parseEventLine(line) as string, /^The field "\w+" of/);
    }
    fc.assert(
      fc.property(fc.string(), fc.json(), (text, json) => {
        assert.equal(typeof parseEventLine(text), 'string');
        parseEventLine(json);
      }),
    );
  });

  it('keeps events of later versions', () => {
    const line = eventLine({
      ...ALL[0]!,
      kind: 'tea.brewed',
      sort: 'green',
    } as unknown as AgentEvent);
    const read = parseEventLine(line);
    assert.ok(typeof read === 'object' && read.kind === 'unknown');
    assert.equal(read.name, 'tea.brewed');
    assert.equal(read.raw['sort'], 'green');
  });
});

describe('inOrder', () => {
  it('orders by time and keeps the order of arrival where times are equal', () => {
    const events = [
      prompt('b', { atMs: 2 }),
      prompt('a', { atMs: 1 }),
      prompt('c', { atMs: 2 }),
      prompt('d', { atMs: 1 }),
    ];
    const texts = inOrder(events).map((event) => event.kind === 'user.prompt' && event.text);
    assert.deepEqual(texts, ['a', 'd', 'b', 'c']);
  });
});
