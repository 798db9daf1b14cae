import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../src/agents/common/events/events.ts';
import { THREE_TOOLS, conversationOf } from '../unit/agents/common/conversation.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { AgentRun } from './agentRun.ts';
import { ShownAgent } from './shownAgent.ts';
import { useAgentLab } from './useAgentLab.ts';

/** Agents with hooks. The other agents have none, so every test covers their transcripts. */
const WITH_HOOKS = ['claudeCode', 'opencode', 'copilot'];
/** The command that begins another conversation, and its question, which Enter answers. */
const BEGIN_ANEW = new Map<string, { readonly command: string; readonly question?: RegExp }>([
  ['claudeCode', { command: '/clear' }],
  ['codex', { command: '/new', question: /Where should the new conversation run/ }],
  ['gemini', { command: '/clear' }],
]);

describe('agents without running hooks', function () {
  this.timeout(300_000);
  let run: AgentRun | undefined;
  afterEach(async () => {
    await run?.dispose();
    run = undefined;
  });
  // Registered after the hook above, so that the agent ends before its home is removed.
  const sandbox = useSandbox();

  for (const setup of AGENT_SETUPS.filter(({ agent }) => WITH_HOOKS.includes(agent))) {
    it(`${setup.agent}: gives the same events from its transcript alone`, async () => {
      const args = (_: unknown, url: string): string[] =>
        setup.headless('@@three-tools please', url);
      run = await AgentRun.start(sandbox.current, setup, args, false);
      await run.ended();
      assert.deepEqual(run.hookCalls, []);
      assert.deepEqual(conversationOf(run.events), THREE_TOOLS, run.screenText.slice(-2000));
      assert.deepEqual(
        run.events.filter(({ kind }) => kind === 'unknown'),
        [],
      );
      assert.deepEqual(run.errors, []);
    });
  }
});

for (const setup of AGENT_SETUPS) {
  const anew = BEGIN_ANEW.get(setup.agent);
  if (!anew) continue;
  describe(`${setup.agent}, without running hooks`, function () {
    this.timeout(300_000);
    const lab = useAgentLab(setup);

    it(`is followed to the next conversation, started by ${anew.command}`, async () => {
      const { home, provider } = lab.current;
      // The user's setting against hooks; the other agents have no hooks.
      const settings = path.join(home, '.claude/settings.json');
      mkdirSync(path.dirname(settings), { recursive: true });
      writeFileSync(settings, JSON.stringify({ disableAllHooks: true }));
      const agent = await ShownAgent.start(lab.current, setup.interactive(provider.url));
      const turn = async (text: string): Promise<void> => {
        await agent.say(text);
        const isPrompt = (event: AgentEvent): boolean =>
          event.kind === 'user.prompt' && event.text === text;
        await agent.untilEvent(isPrompt, text);
        await agent.untilStatus('waiting');
      };
      try {
        await agent.untilScreen(setup.ready);
        await sleep(setup.settleMs);
        await turn('@@hi first');
        await agent.command(anew.command);
        if (anew.question) await agent.untilScreen(anew.question);
        await sleep(setup.settleMs);
        if (anew.question) agent.type('\r');
        await sleep(setup.settleMs);
        await turn('@@hi second');
        await turn('@@hi third');
      } finally {
        await agent.dispose();
      }
      const prompts = agent.events.filter(({ kind }) => kind === 'user.prompt');
      const [first, second, third] = prompts.map(({ agentSession }) => agentSession);
      assert.equal(prompts.length, 3);
      assert.ok(first !== undefined && second !== undefined);
      assert.notEqual(first, second);
      assert.equal(second, third);
      assert.ok(agent.events.every(({ source }) => source !== 'hook'));
    });
  });
}
