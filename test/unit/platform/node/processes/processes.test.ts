import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isProcess, nodeProcesses } from '../../../../../src/platform/node/processes/processes.ts';

describe('processes', () => {
  it('are told from those that are gone', async () => {
    const child = spawn('true');
    const pid = child.pid!;
    await once(child, 'exit');
    assert.equal(isProcess(process.pid), true);
    assert.equal(isProcess(pid), false);
    assert.equal(await nodeProcesses.isAlive(nodeProcesses.own), true);
  });

  it('that have ended are gone even if nobody has asked for their exit code', async () => {
    // `cat` takes the place of the shell, and never asks for the child that the shell left to it.
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
