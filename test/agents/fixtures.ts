import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../src/agents/common/events.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { AgentRun } from './agentRun.ts';
import { saveFixture } from './saveFixture.ts';

const KEY_PAUSE_MS = 1000;
const PROMPT_MS = 20_000;
const CLEAR_LINE = '\x15';

/** With `UPDATE_FIXTURES=1`: has the agents write and tell what tests without them are made of. */
describe('what is kept of agents', function () {
  this.timeout(300_000);
  let run: AgentRun | undefined;
  afterEach(async () => {
    await run?.dispose();
    run = undefined;
  });
  // After the hook above: the agent has to be gone before its home is.
  const sandbox = useSandbox();

  /** Keys typed too early are lost: said again, until the agent tells that it was told. */
  async function say(text: string): Promise<void> {
    const isTold = (event: AgentEvent) => event.kind === 'user.prompt' && event.text === text;
    for (let tries = 1; ; tries++) {
      run!.type(text);
      await sleep(KEY_PAUSE_MS);
      run!.type('\r');
      try {
        await run!.untilEvent(isTold, `the prompt "${text}"`, PROMPT_MS);
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

    it(`${setup.agent}: a question that is answered with yes, and one with no`, async () => {
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
