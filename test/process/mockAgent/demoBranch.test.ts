import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeDemoAgent } from '../../mockAgent/demo/demoAgent.ts';
import { makeDemoProject } from '../../mockAgent/demo/demoProject.ts';
import { cliFile, collect, outputOf, readRecording } from '../../support/ah.ts';
import { filesOnDisk } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

describe('the demo in a terminal', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  it('has a snapshot after each tool, and goes on from a moment with its memory', async () => {
    const workspace = path.join(place.path, 'pool');
    mkdirSync(workspace);
    makeDemoProject(workspace, '# Demo\n');
    const options = { speed: 0, endsByItself: true };
    const { program, env } = makeDemoAgent(path.join(place.path, 'agent'), options);
    const ah = (...args: string[]) => {
      const child = spawn(process.execPath, [cliFile, 'agent', ...args], {
        env: { ...sandbox.current.env, AH_SNAPSHOTS: '1', ...env },
        cwd: workspace,
        stdio: 'pipe',
      });
      child.stdin.end();
      return collect(child);
    };
    const recorded = await ah('record', '--', program);
    assert.equal(recorded.exitCode, 0, recorded.stderr);
    await sandbox.current.settled();
    const { stdout } = await ah('fs', 'list');
    assert.match(
      stdout.toString(),
      /Session start[^]*node test\/run\.js 200\n[^]*Edit test\/pool\.test/,
    );

    const [session] = await sandbox.current.catalogue.list();
    const output = outputOf((await readRecording(session!.meta.recording)).records);
    const at = output.indexOf('Weighing the options');
    const before = filesOnDisk(workspace);
    const message = ['--message', 'Fix the pool', '--name', 'fix'];
    const branched = await ah('branch', '--at', `@${at}`, ...message);
    assert.equal(branched.exitCode, 0, branched.stderr);
    const shown = branched.stdout.toString();
    assert.match(shown, /Continues a conversation: instructions 1, tool calls 4\./);
    assert.match(shown, /Understood\.[^]*3 tests passed[^]*without touching the test/);
    const branch = path.join(place.path, 'pool.branches/fix');
    const contentOf = (file: string) => readFileSync(path.join(branch, file), 'utf8');
    assert.match(contentOf('test/pool.test.js'), /deepEqual\(results, numbers\)/);
    assert.match(contentOf('src/pool.js'), /results\[index\] = await/);
    assert.deepEqual(filesOnDisk(workspace), before, 'the original is as it was');
  });
});
