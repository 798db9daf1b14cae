import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { makeDemoAgent } from '../../mockAgent/demo/demoAgent.ts';
import { makeDemoProject } from '../../mockAgent/demo/demoProject.ts';
import { cliFile, collect } from '../../support/ah.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

describe('ah agent transcript', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  it('prints prompts, answers, tools with results, approvals and diffs', async () => {
    const workspace = path.join(place.path, 'pool');
    mkdirSync(workspace);
    makeDemoProject(workspace, '# Demo\n');
    const agent = makeDemoAgent(path.join(place.path, 'agent'), { speed: 0, endsByItself: true });
    const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1', ...agent.env };
    const child = spawn(process.execPath, [cliFile, 'agent', 'record', '--', agent.program], {
      env,
      cwd: workspace,
    });
    child.stdin.end();
    assert.equal((await collect(child)).exitCode, 0);
    await sandbox.current.settled();
    const { stdout } = await sandbox.current.run('agent', 'transcript');
    const text = stdout.toString();
    assert.match(text, /^# /);
    assert.match(text, /\n## 1 · \d\d:\d\d:\d\d\n\n> \S/);
    assert.match(text, /\n\*\*Bash\*\* · \d\d:\d\d:\d\d.*\n\n```sh\n/);
    assert.match(text, /approved by the user/);
    assert.match(text, /\n```diff\ndiff --git before\/\S+ after\/\S+\n/);
    assert.match(text, /\n@@ -\d+/);
    assert.doesNotMatch(text, /\| # \| Byte/);
  });

  it('prints what a shell showed, without secrets', async () => {
    const secret = 'planted-value-1234';
    const session = await sandbox.current.launch(['/bin/sh', '-c', `echo API_KEY=${secret}`]);
    await sandbox.current.settled();
    const print = (...args: string[]) =>
      sandbox.current.run('agent', 'transcript', '--session', session.id, ...args);
    assert.match((await print()).stdout.toString(), /\n```\nAPI_KEY=planted-value-1234\n```\n$/);
    const redacted = (await print('--redact')).stdout.toString();
    assert.match(redacted, /\n```\nAPI_KEY=\[redacted\]\n```\n$/);
    assert.ok(!redacted.includes(secret));
  });
});
