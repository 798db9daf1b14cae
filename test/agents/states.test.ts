import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent, AgentStatus } from '../../src/agents/events.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { AgentRun } from './agentRun.ts';

const KEY_PAUSE_MS = 500;
const PROMPT_MS = 30_000;
/** As long as nothing is printed: far longer than any agent pauses by itself. */
const SILENCE_MS = 15_000;
const CLEAR_LINE = '\x15';
const ESCAPE = '\x1b';

/** What an agent is said to do, all through a session of the real one. Approvals have a test of their own. */
describe('states of agents', function () {
  this.timeout(300_000);
  let run: AgentRun | undefined;
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(run?.events.map(({ kind, source }) => `${kind} (${source})`).join('\n'));
      console.log(run?.screenText.slice(-2000));
    }
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
  async function staysFor(milliseconds: number, status: AgentStatus): Promise<void> {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      assert.equal(run!.status, status);
      await sleep(200);
    }
  }

  for (const setup of AGENT_SETUPS) {
    it(`${setup.agent}: prompt, question, long silence, Esc, and the next prompt`, async () => {
      run = await AgentRun.start(sandbox.current, setup, (_, url) => setup.interactive(url));
      await run.untilScreen(setup.ready, 90_000);
      await sleep(setup.settleMs);
      assert.notEqual(run.status, 'running');
      assert.notEqual(run.status, 'waiting_approval');

      await say('@@sleep now');
      await run.untilStatus('waiting_approval', 60_000);
      await sleep(1000);
      run.type(setup.allow);
      await run.untilStatus('running', 30_000);
      await staysFor(SILENCE_MS, 'running');

      run.type(ESCAPE);
      // Some want it twice, in case it was a slip.
      await sleep(KEY_PAUSE_MS);
      if (run.status === 'running') run.type(ESCAPE);
      await run.untilStatus('waiting', 30_000);

      await sleep(KEY_PAUSE_MS);
      run.type(CLEAR_LINE);
      await say('@@hi again');
      await run.untilStatus('waiting', 60_000);
      const isAnswer = (event: AgentEvent) =>
        event.kind === 'assistant.message' && event.text.includes('Hello from the script');
      await run.untilEvent(isAnswer, 'the answer');
      await sleep(KEY_PAUSE_MS);
      run.type(setup.quit.slice(0, -1));
      await sleep(KEY_PAUSE_MS);
      run.type('\r');
      await run.ended();
      assert.deepEqual(run.troubles, []);
    });
  }
});
