import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliFile, collect, outputOf, readRecording } from '../../support/ah.ts';
import { filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const mockAgent = path.resolve(import.meta.dirname, '../../mockAgent/main.ts');

/** The whole workflow, with an agent that plays a scenario and follows an instruction. */
describe('an agent in a branch', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  it('continues with the new instruction and the files of that moment', async () => {
    const workspace = path.join(place.path, 'the project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    writeFileSync(path.join(workspace, 'plan.txt'), 'none\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    const keep = `'${process.execPath}' '${cliFile}' agent fs snapshot --label`;
    const scenario = path.join(place.path, 'scenario.yaml');
    writeFileSync(
      scenario,
      JSON.stringify({
        name: 'two plans',
        steps: [
          { write: { path: 'plan.txt', content: 'a lock\n' } },
          { run: `${keep} 'first plan'` },
          { text: 'between' },
          { write: { path: 'plan.txt', content: 'two locks\n' } },
          { write: { path: 'mistake.txt', content: 'oops\n' } },
          { run: `${keep} 'second plan'` },
        ],
        answers: [
          {
            steps: [
              { message: 'You said "${prompt}".' },
              { append: { path: 'plan.txt', content: 'no, a queue\n' } },
            ],
          },
        ],
      }),
    );
    const agent = [process.execPath, mockAgent, scenario, '--dir', workspace, '--speed', '0'];
    const recorded = await ah(workspace, 'record', '--', ...agent);
    assert.equal(recorded.exitCode, 0, recorded.stderr);
    await sandbox.current.settled();
    const [session] = await sandbox.current.catalogue.list();
    const { records } = await readRecording(session!.meta.recording);
    const at = outputOf(records).indexOf('between');
    assert.ok(at > 0);
    const before = filesOnDisk(workspace);

    const args = ['--at', `@${at}`, '--message', 'use a queue', '--name', 'queue'];
    const branched = await ah(workspace, 'branch', '--session', session!.meta.id, ...args);
    assert.equal(branched.exitCode, 0, branched.stderr);
    assert.match(branched.stdout.toString(), /You said "use a queue"/);
    await sandbox.current.settled();
    const folder = path.join(place.path, 'the project.branches/queue');
    assert.equal(readFileSync(path.join(folder, 'plan.txt'), 'utf8'), 'a lock\nno, a queue\n');
    assert.ok(!existsSync(path.join(folder, 'mistake.txt')));
    assert.deepEqual(filesOnDisk(workspace), before);

    const sessions = await sandbox.current.catalogue.list();
    const child = sessions.find(({ meta }) => meta.branchOf !== undefined)!;
    assert.equal(child.meta.branchOf?.fromSessionId, session!.meta.id);
    assert.equal(child.meta.branchOf?.fromByte, at);
    const said = await readRecording(child.meta.recording);
    assert.match(outputOf(said.records).toString(), /use a queue/);

    const taken = await ah(workspace, 'branch', 'take', 'queue', '--yes');
    // The original changes the same line of the same file.
    assert.match(taken.stdout.toString(), /M {2}plan\.txt {2}\(skipped: conflicts/);
    const removed = await ah(workspace, 'branch', 'rm', 'queue', '--yes');
    assert.equal(removed.exitCode, 0, removed.stderr);
    assert.deepEqual(filesOnDisk(workspace), before);
  });

  function ah(cwd: string, ...args: string[]) {
    const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1' };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], { env, cwd, stdio: 'pipe' });
    child.stdin.end();
    return collect(child);
  }
});
