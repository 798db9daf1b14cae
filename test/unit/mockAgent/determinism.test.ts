import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { paceAt } from '../../mockAgent/pace.ts';
import { playSteps } from '../../mockAgent/playSteps.ts';
import { Random } from '../../mockAgent/random.ts';
import { parseScenario } from '../../mockAgent/scenario/parseScenario.ts';
import { fakeAgent } from '../../support/agents/fakeAgentContext.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

function scenario(name: string) {
  const file = new URL(`../../mockAgent/scenarios/${name}.yaml`, import.meta.url);
  return parseScenario(readFileSync(file, 'utf8'), name);
}

describe('mock agent: determinism', () => {
  const folder = useTemporaryFolder();

  async function play(name: string, seed: number, into: string): Promise<Buffer> {
    const agent = fakeAgent({ folder: path.join(folder.path, into), seed });
    await playSteps(scenario(name).steps, agent.context);
    return agent.output.bytes;
  }

  for (const name of ['carriage-returns', 'alternate-screen', 'all-bytes', 'files']) {
    it(`${name}: the same seed prints the same bytes`, async () => {
      const first = await play(name, 3, 'a');
      assert.ok(first.length > 500);
      assert.ok(first.equals(await play(name, 3, 'b')));
    });
  }

  it('another seed prints other bytes', async () => {
    assert.ok(!(await play('all-bytes', 3, 'a')).equals(await play('all-bytes', 4, 'b')));
  });

  it('random numbers are the same on every machine', () => {
    const random = new Random(42);
    assert.deepEqual([random.next(), random.next()], [2581720956, 1925393290]);
    assert.equal(new Random(1).uuid(), 'f3ea87a0-c949-4300-abc4-0687fd2726fb');
  });

  it('pauses have the right total time', async () => {
    const pace = paceAt(10);
    const startedMs = performance.now();
    for (let count = 0; count < 100; count++) await pace.pause(20);
    const tookMs = performance.now() - startedMs;
    assert.equal(pace.elapsedMs, 2000);
    assert.ok(tookMs >= 195, `${tookMs} ms`);
  });
});
