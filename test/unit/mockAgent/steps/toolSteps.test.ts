import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fakeAgent, playYaml, type FakeAgent } from '../../../support/agents/fakeAgentContext.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('mock agent: tool steps', () => {
  const folder = useTemporaryFolder();
  async function played(steps: string): Promise<FakeAgent> {
    const agent = fakeAgent({ folder: folder.path });
    await playYaml(agent, steps);
    return agent;
  }

  it('run: runs a list as a program with arguments, in the folder', async () => {
    const { output } = await played(
      `- run: [node, -e, "console.log(process.cwd() === '${folder.path}')"]`,
    );
    assert.match(output.plain, /● Bash\(node -e .*\)\n {2}⎿ {2}true\n$/);
  });

  it('run: runs a text in the shell, which may change files', async () => {
    const { output } = await played('- run: echo made it > made && cat made | tr a-z A-Z');
    assert.ok(existsSync(path.join(folder.path, 'made')));
    assert.match(output.plain, /⎿ {2}MADE IT\n/);
  });

  it('run: passes the environment', async () => {
    const { output } = await played('- run: { command: "echo $GREETING", env: { GREETING: hey } }');
    assert.match(output.plain, /⎿ {2}hey\n/);
  });

  it('run: shows and records a failure', async () => {
    const { output, records } = await played('- run: "echo out; echo err >&2; exit 3"');
    assert.match(output.plain, /⎿ {2}Exit code 3\n {5}out\n {5}err\n/);
    assert.match(JSON.stringify(records[1]), /"is_error":true/);
  });

  it('run: fails on an unexpected exit code', async () => {
    await assert.rejects(
      played('- run: { command: exit 3, expectExitCode: 0 }'),
      /step 1 \(run\): "exit 3" ended with code 3, expected 0/,
    );
  });

  it('run: shortens long output in the middle', async () => {
    const { output } = await played('- run: { command: seq 1 20, maxLines: 5 }');
    assert.match(output.plain, /⎿ {2}1\n {5}2\n {5}3\n {5}… \+15 lines\n {5}19\n {5}20\n$/);
  });

  it('run: draws the seconds while it runs', async () => {
    const { output } = await played('- run: { command: "true", durationMs: 300 }');
    assert.match(output.plain, /\r {2}⎿ {2}Running… 0\.2s/);
    assert.match(output.plain, /\(No output\)\n$/);
  });

  it('tool: is only shown', async () => {
    const { output, records } = await played(
      '- tool: { name: Read, title: a.js, input: { file_path: a.js }, shown: Read 3 lines, result: abc }',
    );
    assert.equal(output.plain, '\n● Read(a.js)\n  ⎿  Read 3 lines\n');
    assert.match(JSON.stringify(records[1]), /"content":"abc","is_error":false/);
  });
});
