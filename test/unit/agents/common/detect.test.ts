import assert from 'node:assert/strict';
import { detectAgents, type AgentProbe } from '../../../../src/agents/common/detect.ts';

const probe = (versions: Record<string, string | undefined>): AgentProbe => ({
  find: (program) => (program in versions ? `/bin/${program}` : undefined),
  versionText: (program) => Promise.resolve(versions[program.slice('/bin/'.length)]),
});

describe('detectAgents', () => {
  it('finds installed agents in a fixed order, and extracts their versions', async () => {
    const found = await detectAgents(
      probe({ codex: 'codex-cli 0.44.0', claude: '2.1.9 (Claude Code)\n', opencode: undefined }),
    );
    assert.deepEqual(
      found.map(({ agent, version }) => [agent.name, version]),
      [
        ['Claude Code', '2.1.9'],
        ['Codex', '0.44.0'],
        ['opencode', undefined],
      ],
    );
  });

  it('uses the paths in the settings instead of PATH', async () => {
    const looked: string[] = [];
    const find = (program: string) => {
      looked.push(program);
      return undefined;
    };
    await detectAgents({ ...probe({}), find }, { codex: '/opt/codex' });
    assert.ok(looked.includes('/opt/codex'));
    assert.ok(!looked.includes('codex'));
  });
});
