import assert from 'node:assert/strict';
import { fakeAgent, playYaml } from '../../../support/agents/fakeAgentContext.ts';

describe('mock agent: flow and process steps', () => {
  it('pause: counts scenario time', async () => {
    const agent = fakeAgent();
    await playYaml(agent, '- pause: 1500\n- pause: 20');
    assert.equal(agent.context.pace.elapsedMs, 1520);
  });

  it('repeat: has the number of its round', async () => {
    const agent = fakeAgent();
    await playYaml(agent, '- repeat: { times: 3, steps: [{ text: "${round}" }] }');
    assert.equal(agent.output.plain, '1\n2\n3\n');
  });

  it('moment: announces, then prints', async () => {
    const agent = fakeAgent();
    await playYaml(agent, '- moment: one\n- moment: { label: two, id: 99, quiet: true }');
    assert.deepEqual(agent.moments, [
      { label: 'one', id: undefined },
      { label: 'two', id: 99n },
    ]);
    assert.equal(agent.output.plain, '  ◆ one\n');
  });

  it('moment: prints why it was not recorded, even when quiet', async () => {
    const agent = fakeAgent({ momentOutcome: { problem: 'disk full' } });
    await playYaml(agent, '- moment: { label: one, quiet: true }');
    assert.equal(agent.output.plain, '  ◆ one (not recorded: disk full)\n');
  });

  it('exit: ends at once, from nested steps too', async () => {
    const agent = fakeAgent();
    const steps = '- repeat: { times: 2, steps: [{ text: a }, { exit: 7 }] }\n- text: b';
    await assert.rejects(playYaml(agent, steps), { exitCode: 7 });
    assert.equal(agent.output.plain, 'a\n');
  });

  it('crash: by signal or by exception', async () => {
    await assert.rejects(playYaml(fakeAgent(), '- crash: SIGKILL'), /died by SIGKILL/);
    await assert.rejects(playYaml(fakeAgent(), '- crash: { exception: oh }'), /exception oh/);
  });

  it('ignoreSignals: replies only while its steps play', async () => {
    const agent = fakeAgent();
    const playing = playYaml(
      agent,
      '- ignoreSignals: { signals: [SIGINT], reply: "not now, ${signal}", steps: [{ text: a }] }',
    );
    agent.sendSignal('SIGINT');
    await playing;
    agent.sendSignal('SIGINT');
    assert.deepEqual(agent.output.plain.match(/not now, SIGINT/g), ['not now, SIGINT']);
    assert.deepEqual(agent.processCalls, ['take SIGINT', 'give back']);
  });

  it('background: starts a process that outlives the agent', async () => {
    const agent = fakeAgent();
    await playYaml(agent, '- background: { text: hi, durationMs: 500 }');
    assert.deepEqual(agent.processCalls, ['leave "hi" for 500 ms']);
  });

  it('reportResizes and waitForResize: print the new size', async () => {
    const agent = fakeAgent();
    const playing = playYaml(agent, '- reportResizes: [{ waitForResize: 5000 }]');
    await Promise.resolve();
    agent.output.resize(100, 30);
    await playing;
    agent.output.resize(101, 30);
    assert.equal(agent.output.plain, 'resized to 100×30\n');
  });

  it('waitForResize: can be optional', async () => {
    await playYaml(fakeAgent(), '- waitForResize: { timeoutMs: 1, required: false }');
    await assert.rejects(
      playYaml(fakeAgent(), '- waitForResize: 1'),
      /step 1 \(waitForResize\): no resize within 1 ms/,
    );
  });
});
