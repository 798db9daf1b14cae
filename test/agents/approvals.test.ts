import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../src/agents/events.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS, type AgentSetup } from './agentSetup.ts';
import { AgentRun } from './agentRun.ts';
import { saveFixture } from './saveFixture.ts';

/** Full-screen programs take keys that come too fast for a paste. */
const KEY_PAUSE_MS = 500;
const PROMPT_MS = 30_000;
const CLEAR_LINE = '\x15';

describe('agents that ask', function () {
  this.timeout(300_000);
  let run: AgentRun | undefined;
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(run?.events.map(({ kind, source }) => `${kind} (${source})`).join('\n'));
      if (process.env['AH_PRINT_LINES']) console.log(run?.lines.join('\n'));
      console.log(run?.screenText.slice(-3000));
    }
    await run?.dispose();
    run = undefined;
  });
  // After the hook above: the agent has to be gone before its home is.
  const sandbox = useSandbox();

  /** Keys typed too early are lost: said again, until the agent tells that it was told. */
  const say = async (text: string): Promise<void> => {
    const isTold = (event: AgentEvent): boolean =>
      event.kind === 'user.prompt' && event.text === text;
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
  };
  const start = async (setup: AgentSetup): Promise<AgentRun> => {
    run = await AgentRun.start(sandbox.current, setup, (_, url) => setup.interactive(url));
    await run.untilScreen(setup.ready, 90_000);
    await sleep(setup.settleMs);
    return run;
  };
  const ofKind = (kind: AgentEvent['kind']): AgentEvent[] =>
    run!.events.filter((event) => event.kind === kind);

  for (const setup of AGENT_SETUPS) {
    it(`${setup.agent}: shows who waits for a person, what is asked, and what the person said`, async () => {
      const { cwd } = await start(setup);
      const asked = path.join(cwd, 'asked.txt');

      await say('@@ask please');
      await run!.untilStatus('waiting_approval', 60_000);
      assert.ok(!existsSync(asked));
      await sleep(1000);
      run!.type(setup.allow);
      await run!.untilStatus('waiting', 30_000);
      assert.ok(existsSync(asked));

      await say('@@ask once more');
      await run!.untilStatus('waiting_approval', 60_000);
      await sleep(1000);
      run!.type(setup.deny);
      await run!.untilStatus('waiting', 30_000);

      await sleep(KEY_PAUSE_MS);
      run!.type(setup.quit.slice(0, -1));
      await sleep(KEY_PAUSE_MS);
      run!.type('\r');
      await run!.ended();
      saveFixture(run!, setup.agent, 'ask');

      assert.deepEqual(
        ofKind('user.prompt').map((event) => event.kind === 'user.prompt' && event.text),
        ['@@ask please', '@@ask once more'],
      );
      const requests = ofKind('approval.requested');
      for (const request of requests) {
        assert.ok(request.kind === 'approval.requested');
        assert.match(JSON.stringify(request.input), /touch asked\.txt/);
      }
      assert.equal(requests.length, 2);
      assert.deepEqual(
        ofKind('approval.resolved').map(
          (event) => event.kind === 'approval.resolved' && event.decision,
        ),
        ['allowed', 'denied'],
      );
      assert.deepEqual(run!.troubles, []);
    });
  }
});
