import assert from 'node:assert/strict';
import { fakeAgent, playYaml, type FakeAgent } from '../../../support/agents/fakeAgentContext.ts';

async function played(typed: string, steps: string): Promise<FakeAgent> {
  const agent = fakeAgent({ typed });
  await playYaml(agent, steps);
  return agent;
}

const APPROVAL =
  '- approval: { question: Sure?, yes: [{ text: did it }], no: [{ text: did not }] }';

describe('mock agent: input steps', () => {
  it('input: remembers a line for later texts', async () => {
    const { output } = await played('blue\nrest', '- input: "colour? "\n- text: "it is ${answer}"');
    assert.equal(output.plain, 'colour? it is blue\n');
  });

  it('input: reads one key, including the sequence of an arrow', async () => {
    const steps = '- input: { prompt: "", kind: key }\n- input: { prompt: "", kind: key }';
    assert.equal((await played('\x1b[Aé', steps)).output.plain, 'ESC[A\né\n');
  });

  it('input: falls back to its default, or fails', async () => {
    const { output } = await played('', '- input: { prompt: "> ", default: nothing }');
    assert.equal(output.plain, '> nothing\n');
    await assert.rejects(played('', '- input: "> "'), /step 1 \(input\): no input came/);
  });

  it('input: can be a prompt of the session', async () => {
    const { records } = await played('do it\n', '- input: { asPrompt: true }');
    assert.deepEqual(records[0]?.message, { role: 'user', content: 'do it' });
  });

  it('approval: plays the steps of the answer and ignores other keys', async () => {
    assert.match((await played('xqy', APPROVAL)).output.plain, /\(y\/n\) yes\ndid it/);
    assert.match((await played('n', APPROVAL)).output.plain, /\(y\/n\) no\ndid not/);
    assert.match((await played('\r', APPROVAL)).output.plain, /yes\ndid it/);
  });

  it('approval: Ctrl+C ends the agent', async () => {
    await assert.rejects(played('\x03', APPROVAL), { exitCode: 130 });
  });

  it('query: prints the answer without earlier keys', async () => {
    const { output } = await played('k\x1b[?1;2c', '- query: da1');
    assert.equal(output.plain, '\x1b[cda1: ESC[?1;2c\n');
  });

  it('query: reports a missing answer', async () => {
    const { output } = await played('', '- query: [cpr, osc11]');
    assert.equal(output.plain, '\x1b[6ncpr: no answer\n\x1b]11;?\x1b\\osc11: no answer\n');
  });
});
