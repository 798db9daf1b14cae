import assert from 'node:assert/strict';
import { fakeAgent, playYaml } from '../../../support/agents/fakeAgentContext.ts';

async function writesOf(steps: string, seed = 1): Promise<Buffer[]> {
  const agent = fakeAgent({ seed });
  await playYaml(agent, steps);
  return agent.output.writes;
}

describe('mock agent: byte steps', () => {
  it('raw: writes bytes that are not text', async () => {
    const writes = await writesOf('- raw: { hex: "ff fe 00", times: 2 }\n- raw: { base64: gIE= }');
    assert.deepEqual(
      writes.map((bytes) => bytes.toString('hex')),
      ['fffe00', 'fffe00', '8081'],
    );
  });

  for (const pattern of ['lines', 'random', 'sequence']) {
    it(`flood: ${pattern} have the requested length and write size`, async () => {
      const writes = await writesOf(
        `- flood: { bytes: 10001, pattern: ${pattern}, writeBytes: 1000 }`,
      );
      assert.deepEqual(
        writes.map(({ length }) => length),
        [...new Array<number>(10).fill(1000), 1],
      );
    });

    it(`flood: ${pattern} do not depend on the write size`, async () => {
      const flood = (size: number): Promise<Buffer[]> =>
        writesOf(`- flood: { bytes: 5000, pattern: ${pattern}, writeBytes: ${size} }`);
      assert.ok(Buffer.concat(await flood(7)).equals(Buffer.concat(await flood(4096))));
    });
  }

  it('flood: random bytes take all 256 values, and follow the seed', async () => {
    const step = '- flood: { bytes: 8192, pattern: random }';
    const bytes = Buffer.concat(await writesOf(step));
    assert.equal(new Set(bytes).size, 256);
    assert.ok(bytes.equals(Buffer.concat(await writesOf(step))));
    assert.ok(!bytes.equals(Buffer.concat(await writesOf(step, 2))));
  });

  it('outputProcessing: calls the process', async () => {
    const agent = fakeAgent();
    await playYaml(agent, '- outputProcessing: false');
    assert.deepEqual(agent.processCalls, ['output processing false']);
  });
});
