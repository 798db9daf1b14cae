import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isProcess, nodeProcesses } from '../../../../../src/platform/node/processes/processes.ts';

describe('processes', () => {
  it('are distinguished from ended ones', async () => {
    const child = spawn('true');
    const pid = child.pid!;
    await once(child, 'exit');
    assert.equal(isProcess(process.pid), true);
    assert.equal(isProcess(pid), false);
    assert.equal(await nodeProcesses.isAlive(nodeProcesses.own), true);
  });

  it('that are zombies count as ended', async () => {
    // `cat` replaces the shell and never waits for the shell's child.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec cat']);
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      parent.stdin.write('are you cat?');
      await once(parent.stdout, 'data');
      assert.equal(isProcess(pid), true);
      process.kill(pid, 'SIGKILL');
      while (isProcess(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
      assert.doesNotThrow(() => process.kill(pid, 0), 'it is still listed');
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
