import assert from 'node:assert/strict';
import path from 'node:path';
import { runInPty } from '../../../support/ptyRun.ts';
import { ADDRESS, useDemo } from '../../harness/useDemo.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../../..');

describe('npm start', function () {
  this.timeout(300_000);
  const demo = useDemo();

  it('shows a live session in an editor, and ends cleanly with Ctrl-C', async () => {
    const terminal = runInPty('npm', ['start'], { cwd: projectFolder, env: demo.environment() });
    await terminal.waitFor(ADDRESS);
    await terminal.waitFor('Ctrl-C here ends');
    await demo.seesTheAgent(terminal.output().toString().match(ADDRESS)![0]);
    terminal.pty.write('\u0003');
    const { exitCode } = await terminal.ended;
    assert.equal(exitCode, 0, terminal.output().toString());
    await demo.leavesNothing();
  });
});
