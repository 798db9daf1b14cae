import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readEvents } from '../../src/node/eventsFile.ts';
import { cliFile, collect } from '../support/ah.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { historyOf } from './history.ts';
import { treeOf } from './originals.ts';
import { AgentLab } from './recordedAgent.ts';

const MESSAGE = '@@go-on, please';

/** The whole way by the command line, as a person goes it. */
describe('agents that are branched', function () {
  this.timeout(400_000);
  let lab: AgentLab | undefined;
  let said = '';
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.log(said.slice(-4000));
    await lab?.dispose();
    lab = undefined;
  });
  const sandbox = useSandbox();

  for (const setup of AGENT_SETUPS) {
    it(`${setup.agent}: goes on after its second tool with a message, in a branch`, async () => {
      lab = await AgentLab.make(sandbox.current, setup);
      const { cwd, branch, provider } = lab;
      const original = await lab.record(setup.headless('@@three-tools please', provider.url));
      said = original.screen;
      const tools = original.snapshots.filter(
        ({ trigger, label }) => trigger === 'tool' && !label.startsWith('Prompt:'),
      );
      assert.equal(tools.length, 3, said);
      const before = treeOf(cwd);
      const callsBefore = provider.scripted.length;
      const args = [
        '--snapshot',
        String(tools[1]!.id),
        '--message',
        MESSAGE,
        '--name',
        'other way',
      ];
      const { exitCode, stdout, stderr } = await ah(
        ...['branch', '--session', original.session.id, ...args, '--dest', branch],
      );
      said += `${stdout.toString()}\n${stderr}`;
      assert.equal(exitCode, 0, said);
      assert.match(stderr, /goes on with a copy of its memory/);
      await sandbox.current.settled(60_000);

      // Exactly what it had been told by then, and the message.
      const calls = provider.scripted.slice(callsBefore);
      assert.equal(calls.length, 3, said);
      const known = historyOf(provider.scripted[2]!, [cwd, branch]);
      assert.deepEqual(historyOf(calls[0]!, [cwd, branch]), [...known, `user ${MESSAGE}`]);

      // Its tools ran in the branch, on the files of that moment.
      assert.equal(readFileSync(path.join(branch, 'where.txt'), 'utf8'), `${branch}\n`);
      assert.equal(readFileSync(path.join(branch, 'hello.txt'), 'utf8'), 'hello\nsun\n');
      for (const state of [
        ['rev-parse', 'HEAD'],
        ['ls-files', '-s'],
      ]) {
        assert.equal(git(branch, ...state), git(cwd, ...state));
      }
      assert.deepEqual(treeOf(cwd), before);

      const sessions = await sandbox.current.catalogue.list();
      const child = sessions.find(({ meta }) => meta.branchOf !== undefined)!;
      assert.equal(child.meta.branchOf?.method, 'resume');
      assert.equal(child.meta.branchOf?.fromSessionId, original.session.id);
      for (const folder of [original.session.folder, child.folder]) {
        const kinds = (await readEvents(folder)).map(({ kind }) => kind);
        assert.ok(kinds.includes('timeline.sessionBranch.created'), folder);
      }
      const removed = await ah('branch', 'rm', 'other way', '--yes');
      assert.equal(removed.exitCode, 0, removed.stderr);
      assert.ok(!existsSync(branch));
      assert.deepEqual(treeOf(cwd), before);
    });
  }

  function ah(...args: string[]) {
    const env = { ...lab!.env, AH_DATA_DIR: sandbox.current.folder };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], {
      ...{ env, cwd: lab!.cwd, stdio: 'pipe' },
    });
    child.stdin.end();
    return collect(child);
  }
});

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
