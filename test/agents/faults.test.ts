import assert from 'node:assert/strict';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { AgentRun } from './agentRun.ts';

const FAULTS = [
  {
    name: 'says "later"',
    prompt: '@@limit',
    answer: 'After the limit.',
    kind: 'status',
  },
  { name: 'hangs up', prompt: '@@drop', answer: 'After the broken line.', kind: 'hangUp' },
] as const;

describe('agents whose provider fails', function () {
  this.timeout(300_000);
  let run: AgentRun | undefined;
  afterEach(async () => {
    await run?.dispose();
    run = undefined;
  });
  // After the hook above: the agent has to be gone before its home is.
  const sandbox = useSandbox();

  for (const setup of AGENT_SETUPS) {
    for (const { name, prompt, answer, kind } of FAULTS) {
      it(`${setup.agent}: tells the answer once when its provider ${name} first`, async () => {
        run = await AgentRun.start(sandbox.current, setup, (_, url) => setup.headless(prompt, url));
        await run.ended();
        assert.deepEqual(run.troubles, []);
        if (kind === 'hangUp' && !setup.resumesStreams) {
          // It gives up, and so the session has no answer; nothing is made up.
          assert.equal(run.provider.scripted.length, 1);
          assert.ok(!run.events.some((event) => event.kind === 'assistant.message'));
          return;
        }
        const faults = run.provider.scripted.map(({ fault }) => fault);
        assert.deepEqual(faults, [kind, undefined], run.screenText);
        const said = run.events.flatMap((event) =>
          event.kind === 'assistant.message' ? [event.text] : [],
        );
        assert.deepEqual(said, [answer]);
        assert.equal(run.events.filter((event) => event.kind === 'turn.completed').length, 1);
      });
    }
  }
});
