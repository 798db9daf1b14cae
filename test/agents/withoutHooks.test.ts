import assert from 'node:assert/strict';
import { THREE_TOOLS, told } from '../unit/agents/told.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { AgentRun } from './agentRun.ts';

/** The others have none by themselves: what is told of them comes from their transcripts in every test. */
const WITH_HOOKS = ['claudeCode', 'opencode', 'copilot'];

describe('agents whose hooks do not run', function () {
  this.timeout(300_000);
  let run: AgentRun | undefined;
  afterEach(async () => {
    await run?.dispose();
    run = undefined;
  });
  // After the hook above: the agent has to be gone before its home is.
  const sandbox = useSandbox();

  for (const setup of AGENT_SETUPS.filter(({ agent }) => WITH_HOOKS.includes(agent))) {
    it(`${setup.agent}: tells the same from its transcript alone`, async () => {
      const args = (_: unknown, url: string): string[] =>
        setup.headless('@@three-tools please', url);
      run = await AgentRun.start(sandbox.current, setup, args, false);
      await run.ended();
      assert.deepEqual(run.hookCalls, []);
      assert.deepEqual(told(run.events), THREE_TOOLS, run.screenText.slice(-2000));
      assert.deepEqual(
        run.events.filter(({ kind }) => kind === 'unknown'),
        [],
      );
      assert.deepEqual(run.troubles, []);
    });
  }
});
