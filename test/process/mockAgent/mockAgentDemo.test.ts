import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeDemoProject } from '../../mockAgent/demo/demoProject.ts';
import { playSteps } from '../../mockAgent/playSteps.ts';
import { parseScenario } from '../../mockAgent/scenario/parseScenario.ts';
import type { Step } from '../../mockAgent/scenario/step.ts';
import { fakeAgent, type FakeAgent } from '../../support/agents/fakeAgentContext.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const file = new URL('../../mockAgent/scenarios/demo.yaml', import.meta.url);
const { steps, answers } = parseScenario(readFileSync(file, 'utf8'), 'demo.yaml');

/** Uses a fake terminal and real commands. */
describe('mock agent: the demo', () => {
  const folder = useTemporaryFolder();

  async function play(played: readonly Step[], into: string): Promise<FakeAgent> {
    const agent = fakeAgent({ folder: path.join(folder.path, into), seed: 7 });
    makeDemoProject(agent.context.folder, '# Demo\n');
    await playSteps(played, agent.context);
    return agent;
  }

  it('takes between 60 and 90 seconds and prints the same bytes every time', async () => {
    const first = await play(steps, 'a');
    const second = await play(steps, 'b');
    const seconds = first.context.pace.elapsedMs / 1000;
    assert.ok(seconds >= 60 && seconds <= 90, `${seconds} s`);
    assert.ok(first.output.bytes.equals(second.output.bytes));
  });

  it('has a moment after each change and each command', async () => {
    const { moments } = await play(steps, 'a');
    const labels = moments.map(({ label }) => label);
    assert.ok(labels.length >= 10);
    assert.ok(labels.includes('before: relax the test'));
    const changes = steps.filter(({ kind }) => ['edit', 'run'].includes(kind)).length;
    assert.ok(labels.length > changes);
  });

  it('answers an instruction at any branch point', async () => {
    const answer = answers[0]?.steps ?? [];
    const start = steps.findIndex(({ kind }) => kind === 'prompt');
    const ends = steps.flatMap((step, index) =>
      index > start && ['moment', 'edit', 'write'].includes(step.kind) ? [index + 1] : [],
    );
    for (const end of ends) {
      const { output } = await play([...steps.slice(0, end), ...answer], String(end));
      const tail = output.plain.slice(output.plain.lastIndexOf('Understood.'));
      assert.match(tail, /tests passed[^]*April/, `after ${end} steps`);
    }
  }).timeout(60_000);
});
