import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../src/agents/common/events/events.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { AgentRun } from './agentRun.ts';
import { saveFixture } from './saveFixture.ts';

const KEY_PAUSE_MS = 1000;
const PROMPT_MS = 20_000;
const CLEAR_LINE = '\x15';

/** With `UPDATE_FIXTURES=1`: runs the agents to record the fixtures of other tests. */
describe('fixtures of agents', function () {
  this.timeout(300_000);
  let run: AgentRun | undefined;
  afterEach(async () => {
    await run?.dispose();
    run = undefined;
  });
  // Registered after the hook above, so that the agent ends before its home is removed.
  const sandbox = useSandbox();

  /** Types a prompt again until the agent reports it, since early keys are lost. */
  async function say(text: string): Promise<void> {
    const isPrompt = (event: AgentEvent) => event.kind === 'user.prompt' && event.text === text;
    for (let tries = 1; ; tries++) {
      run!.type(text);
      await sleep(KEY_PAUSE_MS);
      run!.type('\r');
      try {
        await run!.untilEvent(isPrompt, `the prompt "${text}"`, PROMPT_MS);
        return;
      } catch (error) {
        if (tries === 3) throw error;
        run!.type(CLEAR_LINE);
      }
    }
  }

  for (const setup of AGENT_SETUPS) {
    it(`${setup.agent}: three tools`, async () => {
      run = await AgentRun.start(sandbox.current, setup, (_, url) =>
        setup.headless('@@three-tools please', url),
      );
      await run.ended();
      saveFixture(run, setup.agent, 'three-tools');
    });

    it(`${setup.agent}: a question answered with yes, and one with no`, async () => {
      run = await AgentRun.start(sandbox.current, setup, (_, url) => setup.interactive(url));
      await run.untilScreen(setup.ready, 90_000);
      await sleep(setup.settleMs);
      for (const [prompt, keys] of [
        ['@@ask please', setup.allow],
        ['@@ask once more', setup.deny],
      ] as const) {
        await say(prompt);
        await run.untilStatus('waiting_approval', 60_000);
        await sleep(KEY_PAUSE_MS);
        run.type(keys);
        await run.untilStatus('waiting', 60_000);
      }
      await sleep(KEY_PAUSE_MS);
      run.type(setup.quit);
      await sleep(KEY_PAUSE_MS);
      run.type('\r');
      await run.ended();
      saveFixture(run, setup.agent, 'ask');
    });
  }
});
