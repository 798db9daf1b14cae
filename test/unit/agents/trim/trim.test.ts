import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ADAPTERS } from '../../../../src/agents/adapters/adapters.ts';
import type { AgentAdapter } from '../../../../src/agents/common/adapter.ts';
import { parseEventLine } from '../../../../src/agents/common/events/eventLine.ts';
import type { AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { KnownResults } from '../../../../src/agents/common/trimming/knownResults.ts';
import { textMover } from '../../../../src/agents/trim/movedText.ts';
import type { TrimmedSession } from '../../../../src/agents/common/trimming/trim.ts';
import { parseFields, textOf } from '../../../../src/agents/common/untrusted.ts';
import { Random } from '../../../support/random.ts';
import { pairing } from '../common/pairing.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../fixtures/agents');
const TO = '/new/place';
const SESSION = '11111111-2222-7333-8444-555555555555';

interface Recorded {
  readonly lines: readonly string[];
  readonly events: readonly AgentEvent[];
  /** The moment after each tool call. */
  readonly momentsNs: readonly bigint[];
  readonly cwd: string;
}

function recorded(agent: string, name: string): Recorded {
  const read = (kind: string): string[] => {
    const file = path.join(FIXTURES, agent, `${name}.${kind}.jsonl`);
    assert.ok(
      existsSync(file),
      `${file} is missing; UPDATE_FIXTURES=1 npm run test:agents makes it`,
    );
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  };
  const moments = read('moments').map((line) => parseFields(line)!);
  const events = read('events').map(parseEventLine);
  return {
    lines: read('transcript'),
    events: events.filter((event) => typeof event !== 'string'),
    momentsNs: moments.map((moment) => moment['ts_ns'] as bigint),
    cwd: textOf(moments[0]?.['cwd']) ?? '',
  };
}

function trimmed(
  adapter: AgentAdapter,
  { lines, events, cwd }: Recorded,
  untilNs: bigint,
): TrimmedSession {
  let count = 0;
  return adapter.trim({
    lines,
    certainLines: 0,
    untilNs,
    session: SESSION,
    results: KnownResults.of(events.filter(({ timeNs }) => timeNs <= untilNs)),
    moved: textMover([{ from: cwd, to: TO }]),
    randomText: (length) => String(count++).padStart(length, 'x'),
  });
}

/** Parses the copy with the agent's own parser. */
function toldBy(adapter: AgentAdapter, { lines }: TrimmedSession): string[] {
  return pairing(adapter.agent, lines).said;
}

describe('trimming a session', () => {
  for (const adapter of ADAPTERS) {
    describe(adapter.agent, () => {
      it('keeps everything up to each tool call, and no call without its result', () => {
        const session = recorded(adapter.agent, 'branching');
        assert.equal(session.momentsNs.length, 3);
        const texts = ['First I look around.', 'Then I write a file.', 'Now I change it.'];
        for (const [index, untilNs] of session.momentsNs.entries()) {
          const copy = trimmed(adapter, session, untilNs);
          assert.equal(copy.prompts, 1);
          assert.equal(copy.calls.length, index + 1, `after tool ${index + 1}`);
          assert.deepEqual(copy.openCalls, []);
          const { calls, results } = pairing(adapter.agent, copy.lines);
          assert.deepEqual(results, calls);
          assert.equal(calls.length, index + 1);
          const said = toldBy(adapter, copy).join('\n');
          for (const [nth, text] of texts.entries())
            assert.equal(said.includes(text), nth <= index, text);
          assert.ok(!said.includes('All three are done.'));
        }
      });

      it('has the new session and folder, and not the old ones', () => {
        const session = recorded(adapter.agent, 'branching');
        const copy = trimmed(adapter, session, session.momentsNs[1]!);
        const text = copy.lines.join('\n');
        assert.ok(copy.fromSession && !text.includes(copy.fromSession));
        assert.ok(text.includes(SESSION) && text.includes(TO));
        assert.ok(!text.includes(session.cwd));
        assert.ok(!text.includes(encodeURI(session.cwd)));
      });

      it('is empty before the first prompt, and complete after the end', () => {
        const session = recorded(adapter.agent, 'branching');
        const nothing = trimmed(adapter, session, 0n);
        assert.equal(nothing.prompts, 0);
        assert.deepEqual(nothing.calls, []);
        const everything = trimmed(adapter, session, 2n ** 62n);
        assert.equal(everything.calls.length, 3);
        assert.ok(toldBy(adapter, everything).join('\n').includes('All three are done.'));
      });

      it('keeps only the finished ones of parallel calls', () => {
        const session = recorded(adapter.agent, 'parallel');
        const results = session.events.filter((event) => event.kind === 'tool.result');
        const timesNs = results.map(({ timeNs }) => timeNs).sort((a, b) => (a < b ? -1 : 1));
        assert.ok(timesNs.length >= 2);
        const firstNs = timesNs[0]!;
        for (const untilNs of [firstNs - 1n, firstNs, timesNs.at(-1)!, 2n ** 62n]) {
          const copy = trimmed(adapter, session, untilNs);
          const { calls, results: answered } = pairing(adapter.agent, copy.lines);
          assert.deepEqual(answered, calls);
          assert.equal(copy.calls.length, calls.length);
        }
        const { calls } = trimmed(adapter, session, timesNs.at(-1)!);
        assert.ok(calls.length >= 1);
      });

      it('handles damaged lines, without keeping a call that lacks a result', () => {
        const random = new Random(7);
        for (const name of ['branching', 'parallel']) {
          const session = recorded(adapter.agent, name);
          for (let round = 0; round < 150; round++) {
            const lines = damaged(session.lines, random);
            const moments = [...session.momentsNs, 0n, 2n ** 62n];
            const untilNs = moments[random.below(moments.length)]!;
            const copy = trimmed(adapter, { ...session, lines }, untilNs);
            const { calls, results } = pairing(adapter.agent, copy.lines);
            assert.deepEqual(results, calls, `${name}, round ${round}`);
          }
        }
      });
    });
  }
});

/** Lines that are missing, repeated, reordered, cut, or have changed values. */
function damaged(lines: readonly string[], random: Random): string[] {
  const copy = [...lines];
  for (let count = random.below(6) + 1; count > 0; count--) {
    const at = random.below(copy.length || 1);
    const line = copy[at] ?? '';
    const kind = random.below(6);
    if (kind === 0) copy.splice(at, 1);
    else if (kind === 1) copy.splice(at, 0, line);
    else if (kind === 2) copy.splice(random.below(copy.length || 1), 0, ...copy.splice(at, 1));
    else if (kind === 3) copy[at] = line.slice(0, random.below(line.length + 1));
    else if (kind === 4) copy[at] = changedValue(line, random);
    else copy.length = at;
  }
  return copy;
}

function changedValue(line: string, random: Random): string {
  const values = ['null', '[]', '{}', '7', '"x"', 'true', '[{}]', '{"type":"tool_use"}'];
  const members = [...line.matchAll(/"[\w$]+":/g)];
  const member = members[random.below(members.length || 1)];
  if (!member) return line;
  const from = member.index + member[0].length;
  const end = line.slice(from).search(/[,}]/);
  return end < 0
    ? line
    : line.slice(0, from) + values[random.below(values.length)] + line.slice(from + end);
}
