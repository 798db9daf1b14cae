import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliFile, collect, readRecording, until } from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { startOldRecorder, type OldRecorder } from '../../support/oldBuilds/oldRecorder.ts';
import { runInPty } from '../../support/terminal/ptyRun.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const CTRL_RIGHT_BRACKET = '\x1d';
/** A program that answers each typed line. */
const PROGRAM = 'echo ready; while read -r line; do echo "answer to $line"; done';

/** After an update of the extension, agents keep running under recorders of the previous build. */
describe('a running recorder of an old build', function () {
  this.timeout(60_000);
  let recorder: OldRecorder | undefined;
  // Runs before the hook that deletes the folders that the recorder writes to.
  afterEach(() => recorder?.kill());
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();

  beforeEach(async () => {
    await userGit(workspace.path, 'init', '-q');
    const cmd = ['/bin/sh', '-c', PROGRAM];
    recorder = undefined;
    recorder = await startOldRecorder(sandbox.current.folder, workspace.path, cmd);
  });

  async function out(...args: string[]): Promise<string> {
    const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1' };
    const options = { env, cwd: workspace.path };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], options);
    child.stdin.end();
    const { exitCode, stdout, stderr } = await collect(child);
    assert.equal(exitCode, 0, stderr);
    return stdout.toString();
  }

  /** Types each line after the answer to the previous one, then detaches. @returns the output */
  async function attach(...lines: string[]): Promise<string> {
    const args = [cliFile, 'agent', 'attach', recorder!.id];
    const options = { cwd: workspace.path, env: sandbox.current.env };
    const terminal = runInPty(process.execPath, args, options);
    // A short time limit: a command that failed prints nothing more.
    const shows = (text: string) =>
      until(() => terminal.output().includes(text), `"${text}" on the screen`, 10_000);
    await shows('ready');
    for (const line of lines) {
      terminal.pty.write(`${line}\r`);
      await shows(`answer to ${line}`);
    }
    terminal.pty.write(CTRL_RIGHT_BRACKET);
    assert.equal((await terminal.ended).exitCode, 0);
    return terminal.output().toString();
  }

  async function listed(): Promise<Record<string, unknown>> {
    const [session, ...others] = JSON.parse(await out('sessions', '--json')) as [
      Record<string, unknown>,
    ];
    assert.deepEqual(others, []);
    return session;
  }

  it('can be listed, attached to, typed into, and stopped', async () => {
    const { id, state, cmd } = await listed();
    assert.deepEqual([id, state, cmd], [recorder!.id, 'running', ['/bin/sh', '-c', PROGRAM]]);
    assert.match(await attach('one', 'two'), /Detached; session .* keeps running/);
    assert.match(await attach('three'), /ready[^]*answer to one[^]*answer to two/, 'its screen');
    assert.match(await out('stop', recorder!.id), /has ended/);
    await recorder!.ended;
    assert.ok(!existsSync(recorder!.hostSocket));
    assert.equal((await listed())['state'], 'finished');
    const played = await out('replay', '--session', recorder!.id, '--fast');
    assert.deepEqual(
      played.split('\n').filter((line) => /ready|answer/.test(line)),
      ['ready', 'answer to one', 'answer to two', 'answer to three'],
    );
  });

  it('takes a snapshot on request, for a branch', async () => {
    writeFileSync(path.join(workspace.path, 'file'), 'one\n');
    await out('fs', 'snapshot', '--session', recorder!.id, '--label', 'mine');
    writeFileSync(path.join(workspace.path, 'file'), 'two\n');
    assert.match(await out('fs', 'list', '--session', recorder!.id), /mine/);
    assert.equal(await out('fs', 'show', '--session', recorder!.id, '2', 'file'), 'one\n');
    await out('branch', '--session', recorder!.id, '--at', 'now', '--name', 'x', '--no-launch');
    const kept = await out('fs', 'list', '--session', recorder!.id);
    assert.match(kept, /Before branch x/);
    assert.equal(await out('fs', 'show', '--session', recorder!.id, '3', 'file'), 'two\n');
    await out('branch', 'rm', 'x', '--yes');
  });

  it('pauses and resumes capture', async () => {
    const typed = async () => {
      const { records } = await readRecording(recorder!.recording);
      const keys = records.flatMap((record) => (record.kind === 'input' ? [record.bytes] : []));
      return Buffer.concat(keys).toString();
    };
    /** The recorder decides on keys after 150 ms, and drops waiting ones when capture pauses. */
    const isRecorded = (line: string) =>
      until(async () => (await typed()).includes(line), `"${line}" in the recording`);
    await attach('one');
    await isRecorded('one');
    await out('capture', recorder!.id, 'off');
    await attach('two');
    await out('capture', recorder!.id, 'on');
    await attach('three');
    await isRecorded('three');
    assert.equal(await typed(), 'one\rthree\r');
  });
});
