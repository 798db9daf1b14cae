import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentEvent } from '../../src/agents/events.ts';
import { THREE_TOOLS, told } from '../unit/agents/told.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { AgentRun } from './agentRun.ts';
import { saveFixture } from './saveFixture.ts';

describe('agents without a person', function () {
  this.timeout(300_000);
  let run: AgentRun | undefined;
  afterEach(async () => {
    await run?.dispose();
    run = undefined;
  });
  // After the hook above: the agent has to be gone before its home is.
  const sandbox = useSandbox();

  for (const setup of AGENT_SETUPS) {
    describe(setup.agent, () => {
      it('tells of every prompt, message and tool of a session, once and in order', async () => {
        run = await AgentRun.start(sandbox.current, setup, (_, url) =>
          setup.headless('@@three-tools please', url),
        );
        await run.ended();
        saveFixture(run, setup.agent, 'three-tools');
        assert.deepEqual(run.provider.problems, []);
        assert.equal(run.provider.scripted.length, 4, run.screenText);
        assert.equal(readFileSync(path.join(run.cwd, 'hello.txt'), 'utf8'), 'hello\nmoon\n');
        const { events } = run;
        if (process.env['AH_PRINT_EVENTS']) console.log(events);
        assert.deepEqual(run.troubles, []);
        assert.deepEqual(told(events), THREE_TOOLS);
        const turns = events.filter((event) => event.kind === 'turn.completed');
        assert.deepEqual(
          turns.map(({ outcome }) => outcome),
          ['done'],
        );
        assert.deepEqual(unknown(events), []);
        const calls = events.filter((event) => event.kind === 'tool.call');
        assert.equal(calls[0]?.title, 'echo one >> notes.txt; cat notes.txt');
        const results = events.filter((event) => event.kind === 'tool.result');
        assert.match(results[0]!.summary, /one/);
        for (const result of results.slice(1)) {
          assert.deepEqual(result.files, [path.join(run.cwd, 'hello.txt')]);
        }
        assert.deepEqual(
          results.map(({ callId }) => callId),
          calls.map(({ callId }) => callId),
        );
        assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
        assert.equal(new Set(events.map(({ agentSession }) => agentSession)).size, 1);
        assert.equal(events.filter(({ kind }) => kind === 'session.started').length, 1);
        assert.equal(events.filter(({ kind }) => kind === 'tokens.used').length, 4);
      });

      it('tells the same without hooks, from its transcript alone', async () => {
        const args = (_: unknown, url: string): string[] =>
          setup.headless('@@three-tools please', url);
        run = await AgentRun.start(sandbox.current, setup, args, false);
        await run.ended();
        assert.deepEqual(run.hookCalls, []);
        assert.deepEqual(told(run.events), THREE_TOOLS);
        assert.deepEqual(unknown(run.events), []);
      });
    });
  }
});

function unknown(events: readonly AgentEvent[]): unknown[] {
  return events.filter((event) => event.kind === 'unknown');
}
