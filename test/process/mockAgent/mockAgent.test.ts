import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { makeDemoProject } from '../../mockAgent/demo/demoProject.ts';
import { fileURLToPath } from 'node:url';
import { Random } from '../../mockAgent/random.ts';
import { runInPty, type PtyRun } from '../../support/terminal/ptyRun.ts';
import { SnapshotServer } from '../../support/sessions/snapshotServer.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const main = fileURLToPath(new URL('../../mockAgent/main.ts', import.meta.url));
const scenarios = fileURLToPath(new URL('../../mockAgent/scenarios', import.meta.url));

describe('mock agent: in a real terminal', () => {
  const folder = useTemporaryFolder();
  const running: PtyRun[] = [];
  afterEach(() => {
    for (const run of running.splice(0)) {
      try {
        run.pty.kill('SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
  });

  function start(scenario: string, args: string[] = [], socket?: string): PtyRun {
    const run = runInPty(process.execPath, [main, scenario, '--dir', folder.path, ...args], {
      cwd: folder.path,
      // Explicitly none, in case the tests run in a recorded session.
      env: { ...process.env, AH_IPC_SOCKET: socket },
    });
    running.push(run);
    return run;
  }

  async function startSteps(steps: string, args: string[] = [], socket?: string): Promise<PtyRun> {
    const file = path.join(folder.path, 'scenario.yaml');
    await writeFile(file, `steps:\n${steps}`);
    return start(file, args, socket);
  }

  const shipped = (name: string): string => path.join(scenarios, `${name}.yaml`);

  it('ends with 0, or with the code that the scenario gives', async () => {
    assert.deepEqual(await (await startSteps('- text: a')).ended, { exitCode: 0, signal: 0 });
    assert.deepEqual(await (await startSteps('- exit: 42')).ended, { exitCode: 42, signal: 0 });
  });

  it('ends with 1 and names the step that failed', async () => {
    const run = await startSteps('- text: a\n- delete: nothing-here');
    assert.equal((await run.ended).exitCode, 1);
    assert.match(run.output().toString(), /mockAgent: step 2 \(delete\): ENOENT/);
  });

  it('ends with 2 for a wrong scenario or wrong arguments', async () => {
    const wrong = await startSteps('- paws: 3');
    assert.equal((await wrong.ended).exitCode, 2);
    assert.match(wrong.output().toString(), /scenario\.yaml:2: step 1: there is no step "paws"/);
    const missing = start('missing.yaml');
    assert.equal((await missing.ended).exitCode, 2);
    assert.match(missing.output().toString(), /cannot be read/);
  });

  for (const signal of ['SIGKILL', 'SIGSEGV'] as const) {
    it(`dies by ${signal} after its last words`, async () => {
      const run = await startSteps(`- text: last words\n- crash: ${signal}`);
      assert.equal((await run.ended).signal, constants.signals[signal]);
      assert.match(run.output().toString(), /last words/);
    });
  }

  it('dies by an uncaught exception', async () => {
    const run = await startSteps('- crash: { exception: out of luck }');
    assert.equal((await run.ended).exitCode, 1);
    assert.match(run.output().toString(), /Error: out of luck/);
  });

  it('resets the terminal when it is terminated on the alternate screen', async () => {
    const run = await startSteps('- alternateScreen: [{ text: here }, { pause: 60000 }]');
    await run.waitFor('here');
    run.pty.kill('SIGTERM');
    assert.equal((await run.ended).signal, constants.signals.SIGTERM);
    assert.ok(run.output().toString().endsWith('\x1b[?1049l'));
  });

  it('ignores signals for a while', async () => {
    const run = await startSteps(`
- ignoreSignals:
    signals: [SIGINT, SIGTERM]
    reply: not now
    steps: [{ text: deaf }, { pause: 400 }]
- text: listening
- pause: 60000`);
    await run.waitFor('deaf');
    run.pty.write('\x03');
    await run.waitFor('not now');
    await run.waitFor('listening');
    run.pty.write('\x03');
    assert.equal((await run.ended).signal, constants.signals.SIGINT);
  });

  it('leaves a background process that keeps the terminal open', async () => {
    const run = await startSteps(
      '- background: { text: survivor, intervalMs: 30, durationMs: 5000 }\n- text: waiting\n- pause: 60000',
    );
    await run.waitFor(/survivor[^]*survivor/);
    process.kill(run.pty.pid, 'SIGKILL');
    const soFar = run.output().length;
    await run.waitFor(new RegExp(`[^]{${soFar}}[^]*survivor`));
  });

  it('waits for the user: a line, keys, an approval', async () => {
    const run = start(shipped('interactive'), ['--speed', '4']);
    await run.waitFor('What do you want me to do?');
    run.pty.write('sing\r');
    await run.waitFor('You said "sing".');
    await run.waitFor('Press any key:');
    run.pty.write('\x1b[A');
    await run.waitFor('ESC[A');
    run.pty.write('y');
    await run.waitFor('◆');
    await run.waitFor('Run it?');
    run.pty.write('n');
    await run.waitFor('Resize the terminal');
    run.pty.resize(100, 30);
    await run.waitFor('resized to 100×30');
    assert.equal((await run.ended).exitCode, 0);
    assert.equal(readFileSync(path.join(folder.path, 'wish.txt'), 'utf8'), 'sing\n');
    assert.ok(existsSync(path.join(folder.path, '.agent/session.jsonl')));
  });

  it('queries the terminal and prints the answers', async () => {
    const run = start(shipped('queries'));
    await run.waitFor('\x1b[c');
    run.pty.write('\x1b[?62;4c');
    await run.waitFor('\x1b[6n');
    run.pty.write('\x1b[5;1R');
    await run.waitFor('\x1b]10;?');
    run.pty.write('\x1b]10;rgb:ffff/ffff/ffff\x1b\\');
    await run.waitFor('\x1b]11;?');
    run.pty.write('\x1b]11;rgb:0000/0000/0000\x07');
    await run.waitFor('da1: ESC[?62;4c');
    await run.waitFor('cpr: ESC[5;1R');
    await run.waitFor('osc11: ESC]11;rgb:0000/0000/0000^G');
    await run.waitFor(/keyboard: .*no answer/);
    assert.equal((await run.ended).exitCode, 0);
  });

  it('prints every byte unchanged, including invalid UTF-8', async () => {
    // The last step keeps the terminal open until everything has been read.
    const run = await startSteps(`
- outputProcessing: false
- raw: { hex: c3 28 ff fe 0a }
- flood: { bytes: 20000, pattern: random }
- outputProcessing: true
- input: { prompt: THE-END }`);
    await run.waitFor('THE-END');
    const random = Buffer.alloc(20_000);
    new Random(1).fill(random);
    const expected = Buffer.concat([
      Buffer.from('c328fffe0a', 'hex'),
      random,
      Buffer.from('THE-END'),
    ]);
    assert.ok(run.output().equals(expected));
  });

  it('announces its moments over a socket and over TCP', async () => {
    const socket = path.join(folder.path, 'ipc.sock');
    const local = await SnapshotServer.listen({ path: socket });
    const tcp = await SnapshotServer.listen({ host: '127.0.0.1', port: 0 });
    const steps = '- moment: größer\n- moment: { label: "", id: 9 }\n- moment: last';
    const runs = [
      await startSteps(steps, [], socket),
      await startSteps(steps, [], `tcp:127.0.0.1:${tcp.port}`),
    ];
    for (const run of runs) assert.equal((await run.ended).exitCode, 0);
    for (const server of [local, tcp]) {
      assert.deepEqual(server.notices, [
        { id: 1n, label: 'größer' },
        { id: 9n, label: '' },
        { id: 10n, label: 'last' },
      ]);
      server.close();
    }
  });

  it('continues when the recorder refuses or is gone', async () => {
    const socket = path.join(folder.path, 'ipc.sock');
    const server = await SnapshotServer.listen({ path: socket }, 'no space');
    const refused = await startSteps('- moment: a\n- text: went on', [], socket);
    assert.equal((await refused.ended).exitCode, 0);
    server.close();
    assert.match(refused.output().toString(), /not recorded: no space[^]*went on/);
    const gone = await startSteps('- moment: a\n- text: went on', [], `${socket}.gone`);
    assert.equal((await gone.ended).exitCode, 0);
    assert.match(gone.output().toString(), /not recorded: connect ENOENT[^]*went on/);
  });

  it('leaves an incomplete transcript when it crashes', async () => {
    const run = start(shipped('crash'), ['--speed', '0']);
    assert.equal((await run.ended).signal, constants.signals.SIGSEGV);
    const lines = readFileSync(path.join(folder.path, '.agent/session.jsonl'), 'utf8').split('\n');
    assert.throws(() => void JSON.parse(lines.pop() ?? ''));
    for (const line of lines) assert.doesNotThrow(() => void JSON.parse(line));
  });

  it('continues a session with an instruction', async () => {
    const transcript = path.join(folder.path, 'session.jsonl');
    const args = ['--speed', '0', '--transcript', transcript];
    makeDemoProject(folder.path, '# Demo\n');
    const first = start(shipped('demo'), args);
    await first.waitFor('Run the tests 200 times?');
    first.pty.write('y');
    assert.equal((await first.ended).exitCode, 0);
    const before = readFileSync(transcript, 'utf8');
    const run = start(shipped('demo'), [...args, '--resume', '--prompt', 'Fix the pool, please']);
    assert.equal((await run.ended).exitCode, 0);
    const after = readFileSync(transcript, 'utf8');
    assert.ok(after.startsWith(before));
    assert.match(after.slice(before.length), /"content":"Fix the pool, please"/);
  });
});
