import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeDemoAgent } from '../../mockAgent/demo/demoAgent.ts';
import { makeDemoProject } from '../../mockAgent/demo/demoProject.ts';
import { cliFile, collect } from '../../support/ah.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

describe('an agent started through other programs', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  const commands: Readonly<Record<string, (program: string) => readonly string[]>> = {
    'with arguments': (program) => [program, '--model', 'opus'],
    'by env': (program) => ['env', 'X=1', program],
    'by a login shell': (program) => ['/bin/bash', '-lc', `exec nice ${program} --model opus`],
  };
  for (const [name, command] of Object.entries(commands)) {
    it(`is followed, and continued in a branch, when started ${name}`, async () => {
      const workspace = path.join(place.path, 'pool');
      mkdirSync(workspace);
      makeDemoProject(workspace, '# Demo\n');
      const agent = makeDemoAgent(path.join(place.path, 'agent'), { speed: 0, endsByItself: true });
      const ah = async (...args: string[]) => {
        const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1', ...agent.env };
        const child = spawn(process.execPath, [cliFile, 'agent', ...args], { env, cwd: workspace });
        child.stdin.end();
        const { exitCode, stdout, stderr } = await collect(child);
        assert.equal(exitCode, 0, stderr);
        return stdout.toString();
      };
      await ah('record', '--', ...command(agent.program));
      await sandbox.current.settled();
      const [session] = await sandbox.current.catalogue.list();
      const events = readFileSync(path.join(session!.folder, 'session.events.jsonl'), 'utf8');
      for (const kind of ['user.prompt', 'approval.requested', 'tool.result', 'turn.completed']) {
        assert.ok(events.includes(`"${kind}"`), kind);
      }
      assert.match(events, /"source":"hook"/);
      const snapshots = await ah('fs', 'list');
      assert.match(snapshots, / Edit src\/pool\.js$/m, 'a snapshot for each tool');
      // A late snapshot may contain the next edit too.
      assert.match(snapshots, /git, [1-9]\d* changed.* Edit .*\.js$/m, 'with what it changed');
      const branched = await ah('branch', '--at', 'now', '--message', 'Go on', '--name', 'on');
      assert.match(branched, /Continues a conversation: instructions 1, tool calls 12\./);
      await sandbox.current.settled();
      const [branch] = await sandbox.current.catalogue.list();
      const [first] = command(agent.program);
      assert.equal(
        path.basename(branch!.meta.cmd[0]!),
        path.basename(first!),
        'by the same program',
      );
    });
  }
});
