import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ADAPTERS, adapterOf } from '../../../../src/agents/adapters/adapters.ts';
import type { AgentAdapter, HookSetup } from '../../../../src/agents/common/adapter.ts';
import { claudeProjectName } from '../../../../src/agents/adapters/claudeCode.ts';
import { shellQuoted } from '../../../../src/agents/common/shellQuoted.ts';
import { KNOWN_AGENTS } from '../../../../src/agents/common/detect.ts';
import { eventLine, parseEventLine } from '../../../../src/agents/common/events/eventLine.ts';
import { EventMerger } from '../../../../src/agents/common/events/eventMerger.ts';
import { inOrder, type AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { fieldsOf, parseFields, textOf } from '../../../../src/agents/common/untrusted.ts';
import { Random } from '../../../support/random.ts';
import { THREE_TOOLS, conversationOf } from '../common/conversation.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../fixtures/agents');

function linesOf(agent: string, name: string): string[] {
  const file = path.join(FIXTURES, agent, name);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function parsed(adapter: AgentAdapter, lines: readonly string[]): AgentEvent[] {
  const parser = adapter.createParser();
  return lines.flatMap((line) => parser.push(line, 0n));
}

function hooked(adapter: AgentAdapter, lines: readonly string[]): AgentEvent[] {
  return lines.flatMap((line) => {
    const { name, payload, seenNs } = parseFields(line) ?? {};
    const call = { name: textOf(name) ?? '', payload: fieldsOf(payload), seenNs: seenNs as bigint };
    return adapter.hookEvents(call);
  });
}

const merged = (events: readonly AgentEvent[], merger = new EventMerger()): AgentEvent[] =>
  events.flatMap((event) => merger.push(event));

/** Mixes two lists at random, and keeps the order of each. */
function mixed(a: readonly AgentEvent[], b: readonly AgentEvent[], random: Random): AgentEvent[] {
  const left = [...a];
  const right = [...b];
  const all: AgentEvent[] = [];
  while (left.length + right.length > 0) {
    const from = right.length === 0 || (left.length > 0 && random.below(2) === 0) ? left : right;
    all.push(from.shift()!);
  }
  return all;
}

describe('adapters', () => {
  it('exist for every known agent', () => {
    assert.deepEqual(
      ADAPTERS.map(({ agent }) => agent),
      KNOWN_AGENTS.map(({ id }) => id),
    );
    assert.equal(adapterOf('vi'), undefined);
  });

  for (const adapter of ADAPTERS) {
    describe(adapter.agent, () => {
      const lines = linesOf(adapter.agent, 'three-tools.transcript.jsonl');
      const hooks = linesOf(adapter.agent, 'three-tools.hooks.jsonl');
      const fromTranscript = parsed(adapter, lines);
      const fromHooks = hooked(adapter, hooks);

      it('emits the same events, whichever source comes first', () => {
        assert.ok(fromHooks.length > 5);
        const random = new Random(7);
        for (let nth = 0; nth < 50; nth++) {
          const events = merged(mixed(fromTranscript, fromHooks, random));
          // A late hook's text is late too, so the transcript has the right order.
          assert.deepEqual(conversationOf(events).sort(), THREE_TOOLS.toSorted());
          assert.equal(events.filter(({ kind }) => kind === 'turn.completed').length, 1);
          assert.deepEqual(
            events.filter(({ kind }) => kind === 'unknown'),
            [],
          );
          const calls = events.filter((event) => event.kind === 'tool.call');
          const results = events.filter((event) => event.kind === 'tool.result');
          const ids = results.map(({ callId }) => callId).sort();
          assert.deepEqual(ids, calls.map(({ callId }) => callId).sort());
        }
      });

      it('emits events in order, with results of tools', () => {
        const events = merged([...fromHooks, ...fromTranscript]);
        assert.deepEqual(conversationOf(events), THREE_TOOLS);
        const results = events.filter((event) => event.kind === 'tool.result');
        assert.match(results[0]!.summary, /one/);
        assert.deepEqual(
          results.map(({ files }) => files.map((file) => path.basename(file))),
          [[], ['hello.txt'], ['hello.txt']],
        );
      });

      it('reports questions and their answers', () => {
        const asked = [
          ...hooked(adapter, linesOf(adapter.agent, 'ask.hooks.jsonl')),
          ...parsed(adapter, linesOf(adapter.agent, 'ask.transcript.jsonl')),
        ];
        const events = merged(inOrder(asked));
        const requests = events.filter((event) => event.kind === 'approval.requested');
        assert.equal(requests.length, 2);
        for (const { input, title } of requests) {
          assert.match(JSON.stringify(input), /touch asked\.txt/);
          assert.match(title, /touch asked\.txt/);
        }
        const answers = events.filter((event) => event.kind === 'approval.resolved');
        assert.deepEqual(
          answers.map(({ decision, callId }) => [decision, callId]),
          [
            ['allowed', requests[0]!.callId],
            ['denied', requests[1]!.callId],
          ],
        );
        const ends = events.filter((event) => event.kind === 'turn.completed');
        assert.equal(ends[0]?.outcome, 'done');
        const results = events.filter((event) => event.kind === 'tool.result');
        assert.equal(results[0]?.outcome, 'ok');
        assert.ok(['denied', 'interrupted'].includes(results[1]!.outcome), results[1]!.outcome);
        assert.deepEqual(
          events.filter(({ kind }) => kind === 'unknown'),
          [],
        );
      });

      it('emits nothing new when all records are read again', () => {
        const merger = new EventMerger();
        assert.ok(merged([...fromTranscript, ...fromHooks], merger).length > 10);
        const again = [...parsed(adapter, lines), ...hooked(adapter, hooks)];
        assert.deepEqual(merged(again, merger), []);
      });

      it('emits events that can be written and parsed', () => {
        for (const event of [...fromTranscript, ...fromHooks]) {
          const back = parseEventLine(eventLine(event));
          assert.equal(typeof back, 'object', String(back as string));
          assert.deepEqual(eventLine(back as AgentEvent), eventLine(event));
        }
      });

      it('accepts any input', () => {
        const random = new Random(11);
        for (let nth = 0; nth < 400 && lines.length > 0; nth++) {
          const line = lines[random.below(lines.length)]!;
          const at = random.below(line.length);
          const damaged = [
            line.slice(0, at),
            line.slice(0, at) + line.slice(at + 1 + random.below(20)),
            line.replace(/"[^"]*"/g, (text) => (random.below(10) === 0 ? 'null' : text)),
            line.replace(/\{|\[/g, (mark) => (random.below(10) === 0 ? '[' : mark)),
          ];
          for (const event of parsed(adapter, damaged)) {
            assert.equal(typeof parseEventLine(eventLine(event)), 'object');
          }
        }
        for (const line of hooks) {
          const call = parseFields(line)!;
          const name = textOf(call['name'])!;
          adapter.hookEvents({ name, payload: {}, seenNs: 1n });
          adapter.hookEvents({
            name: 'somethingNew',
            payload: fieldsOf(call['payload']),
            seenNs: 1n,
          });
        }
      });
    });
  }

  it('store unknown records', () => {
    const [event] = parsed(adapterOf('claudeCode')!, ['{"type":"tea","sort":"green"}']);
    assert.ok(event?.kind === 'unknown');
    assert.deepEqual([event.name, event.raw['sort']], ['tea', 'green']);
    assert.deepEqual(parsed(adapterOf('codex')!, ['', '  ']), []);
  });

  it('know where transcripts are', () => {
    const place = { env: {}, home: '/home/me', cwd: '/a/my.proj_v2' };
    assert.equal(claudeProjectName('/tmp/Ünï-日本'), '-tmp--n----');
    const claude = adapterOf('claudeCode')!.transcripts(place);
    const session = '4b5a5a24-5b35-454a-959a-cba029de3a34';
    assert.ok(claude.kind === 'files' && claude.folder === '/home/me/.claude/projects');
    assert.ok(claude.pattern.test(`-a-my-proj-v2/${session}.jsonl`));
    assert.ok(!claude.pattern.test(`-a-my-proj-v3/${session}.jsonl`));
    const codex = adapterOf('codex')!.transcripts({ ...place, env: { CODEX_HOME: '/x' } });
    assert.ok(codex.kind === 'files' && codex.folder === '/x/sessions');
    const rollout = `2026/11/16/rollout-2026-11-16T04-22-44-${session}.jsonl`;
    assert.ok(codex.pattern.test(rollout));
    assert.equal(adapterOf('codex')!.sessionOfPath(rollout), session);
    assert.equal(adapterOf('copilot')!.sessionOfPath(`${session}/events.jsonl`), session);
    const long = adapterOf('claudeCode')!.transcripts({ ...place, cwd: `/${'x'.repeat(300)}` });
    assert.ok(
      long.kind === 'files' && long.pattern.test(`-${'x'.repeat(199)}-abc123/${session}.jsonl`),
    );
  });

  it('read the title of the terminal', () => {
    const status = (agent: string, title: string) => adapterOf(agent)!.statusOfTitle(title);
    assert.equal(status('codex', '[ ! ] Action Required'), 'waiting_approval');
    assert.equal(status('codex', '⠋ project'), 'running');
    assert.equal(status('codex', 'project'), 'waiting');
    assert.equal(status('gemini', '✋ Action Required (dir)'), 'waiting_approval');
    assert.equal(status('gemini', '✦ Working… (dir)'), 'running');
    assert.equal(status('gemini', '◇ Ready (dir)'), 'waiting');
    assert.equal(status('claudeCode', '◐ Claude Code'), 'running');
    assert.equal(status('claudeCode', '✳ Claude Code'), undefined);
  });

  describe('hooks per launch', () => {
    const setup: HookSetup = {
      folder: "/tmp/it's here",
      socket: '/tmp/in',
      waitMs: 0,
      env: {},
      mayBypassTrust: false,
      relay: (event) => ['/bin/sh', "/tmp/it's here/relay.sh", event],
    };

    it('quote their words for a shell', () => {
      assert.equal(shellQuoted("it's"), `'it'\\''s'`);
      const { files } = adapterOf('claudeCode')!.additions(setup);
      assert.ok(files[0]!.text.includes(`/bin/sh '/tmp/it'\\\\''s here/relay.sh' Stop`));
    });

    it('disable a safeguard only if the user allows it', () => {
      assert.deepEqual(adapterOf('codex')!.additions(setup).args, ['--no-daemon']);
      const allowed = adapterOf('codex')!.additions({ ...setup, mayBypassTrust: true });
      assert.ok(allowed.args.includes('--dangerously-bypass-hook-trust'));
    });

    it("extend the user's own settings, or add nothing", () => {
      const own = JSON.stringify({ model: 'x', plugin: ['mine'] });
      const env = { OPENCODE_CONFIG_CONTENT: own };
      const added = adapterOf('opencode')!.additions({ ...setup, env });
      assert.deepEqual(JSON.parse(added.env['OPENCODE_CONFIG_CONTENT']!), {
        model: 'x',
        plugin: ['mine', "file:///tmp/it's%20here/opencode-plugin.js"],
      });
      const broken = { OPENCODE_CONFIG_CONTENT: '{' };
      assert.deepEqual(adapterOf('opencode')!.additions({ ...setup, env: broken }).env, {});
    });
  });
});
