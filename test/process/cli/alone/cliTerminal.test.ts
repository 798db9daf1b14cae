import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cliFile, collect, outputOf, readRecording, until } from '../../../support/ah.ts';
import { untilFile } from '../../../support/processes/shellScripts.ts';
import { runInPty, type PtyRun } from '../../../support/terminal/ptyRun.ts';
import { useSandbox } from '../../../support/useSandbox.ts';
import { slowTest } from '../../../support/tiers.ts';

describe('the command line in a terminal', () => {
  const sandbox = useSandbox();

  function run(...args: string[]): PtyRun {
    const { folder, env } = sandbox.current;
    return runInPty(process.execPath, [cliFile, ...args], { cwd: folder, env, cols: 90, rows: 30 });
  }

  it('records in the size of this terminal, and follows its resizes', async () => {
    const script = 'trap "stty size" WINCH; stty size; while :; do sleep 0.02; done';
    const terminal = run('agent', 'record', '--', '/bin/sh', '-c', script);
    await terminal.waitFor('30 90');
    terminal.pty.resize(100, 20);
    await terminal.waitFor('20 100');
    terminal.pty.write('\x03');
    assert.equal((await terminal.ended).exitCode, 130);
    const [session] = await sandbox.current.catalogue.list();
    const { records } = await readRecording(session!.meta.recording);
    const sizes = records.flatMap((record) =>
      record.kind === 'resize' ? [[record.cols, record.rows]] : [],
    );
    assert.deepEqual(sizes, [
      [90, 30],
      [100, 20],
    ]);
  });

  it('uses a default size on a terminal that reports none', async () => {
    const { folder, env } = sandbox.current;
    const command = `stty size; exec ${process.execPath} ${cliFile} agent record -- stty size`;
    const terminal = runInPty('/bin/sh', ['-c', `stty cols 0 rows 0; ${command}`], {
      cwd: folder,
      env,
    });
    assert.equal((await terminal.ended).exitCode, 0);
    assert.deepEqual(terminal.output().toString().split('\r\n'), ['0 0', '24 80', '']);
  });

  it('passes keys and output through unchanged', async () => {
    const script = 'stty raw -echo; echo ready; dd bs=1 count=256 2>/dev/null | od -An -v -tu1';
    const terminal = run('agent', 'record', '--', '/bin/sh', '-c', script);
    await terminal.waitFor('ready');
    const keys = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    terminal.pty.write(keys);
    assert.equal((await terminal.ended).exitCode, 0);
    const numbers = terminal.output().toString().split('ready')[1]!.match(/\d+/g)!.map(Number);
    assert.deepEqual(numbers, [...keys]);
  });

  it('does not translate line feeds, with which full-screen programs move down', async () => {
    const terminal = run(
      'agent',
      'record',
      '--',
      '/bin/sh',
      '-c',
      'stty raw; printf "a\\nb\\r\\nc"',
    );
    await terminal.ended;
    assert.equal(terminal.output().toString(), 'a\nb\r\nc');
  });

  it('replays line feeds unchanged, and restores the terminal when interrupted', async () => {
    const script = 'stty raw; printf "a\\nb"; sleep 0.5; printf c';
    await run('agent', 'record', '--', '/bin/sh', '-c', script).ended;
    const [session] = await sandbox.current.catalogue.list();
    const { folder, env } = sandbox.current;
    const play = `${process.execPath} ${cliFile} agent replay --speed 0.2 --session ${session!.meta.id}`;
    const look = `stty -a > before; ${play}; echo code $?; stty -a > after; cmp before after && echo same`;
    const terminal = runInPty('/bin/sh', ['-c', `trap : INT; ${look}`], { cwd: folder, env });
    await terminal.waitFor('a\nb');
    terminal.pty.write('\x03');
    await terminal.ended;
    assert.match(terminal.output().toString(), /code 130\r\nsame/);
  });

  it('restores the terminal', async () => {
    const script = `stty -a > before; ${process.execPath} ${cliFile} agent record -- true; stty -a > after; cmp before after && echo same`;
    const { folder, env } = sandbox.current;
    const terminal = runInPty('/bin/sh', ['-c', script], { cwd: folder, env });
    await terminal.ended;
    assert.match(terminal.output().toString(), /same/);
  });

  it('can detach and reattach', async () => {
    const script = 'echo one; read line; echo "got $line"; read line';
    const first = run('agent', 'record', '--', '/bin/sh', '-c', script);
    await first.waitFor('one');
    first.pty.kill('SIGHUP'); // The user closes the window.
    await first.ended;
    const [session] = await sandbox.current.catalogue.list();
    const second = run('agent', 'attach', session!.meta.id.slice(-6));
    await second.waitFor('one');
    second.pty.write('hello\r');
    await second.waitFor('got hello');
    second.pty.write('\x1d');
    await second.waitFor('Detached; session');
    assert.equal((await second.ended).exitCode, 0);
    assert.equal(sandbox.current.recorders().length, 1);
    const third = run('agent', 'attach', session!.meta.id);
    await third.waitFor('got hello');
    third.pty.write('\r');
    assert.equal((await third.ended).exitCode, 0);
    await sandbox.current.settled();
    const output = outputOf((await readRecording(session!.meta.recording)).records).toString();
    assert.equal(output, 'one\r\nhello\r\ngot hello\r\n\r\n');
  });

  it('reads input from a pipe to its end', async () => {
    const child = sandbox.current.start(
      'agent',
      'record',
      '--',
      '/bin/sh',
      '-c',
      'stty -echo; echo ready; cat; echo end',
    );
    const chunks: Buffer[] = [];
    child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A pipe delivers input before the program turns its echo off.
    await until(() => Buffer.concat(chunks).includes('ready'), 'the program');
    child.stdin!.end('from a pipe\n');
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0);
    assert.match(Buffer.concat(chunks).toString(), /^ready\r\nfrom a pipe\r\nend\r\n$/);
  });

  it('replays a session: at once, in real time, and at any moment', async () => {
    // Output between two reads of the recorder becomes one record, so each step waits for the
    // previous one.
    const { folder } = sandbox.current;
    const waitFor = (name: string) => untilFile(path.join(folder, name));
    const script = `printf "first\\n"; ${waitFor('1')}; printf "\\033[31msecond\\033[0m\\n"; ${waitFor('2')}; printf "\\033[2J\\033[Hthird\\n"`;
    const recorded = collect(
      sandbox.current.start('agent', 'record', '--', '/bin/sh', '-c', script),
    );
    for (const [nth, word] of [
      ['1', 'first'],
      ['2', 'second'],
    ] as const) {
      const isRecorded = async () => {
        const [running] = await sandbox.current.catalogue.list();
        const { records } = await readRecording(running!.meta.recording);
        return outputOf(records).includes(word);
      };
      await until(() => isRecorded().catch(() => false), word);
      writeFileSync(path.join(folder, nth), '');
    }
    await recorded;
    await sandbox.current.settled();
    const at = async (moment: string) =>
      (
        await sandbox.current.run('agent', 'replay', '--at', moment, '--no-colors')
      ).stdout.toString();
    // Times come from the recording, because the machine may be busy.
    const [session] = await sandbox.current.catalogue.list();
    const { records } = await readRecording(session!.meta.recording);
    const [, second, third] = records
      .filter(({ kind }) => kind === 'data')
      .map(({ tsNs }) => Number(tsNs - records[0]!.tsNs) / 1e9);
    assert.equal(await at((second! - 0.02).toFixed(3)), 'first\n');
    assert.equal(await at(`0:${(third! - 0.02).toFixed(3)}`), 'first\nsecond\n');
    assert.equal(await at('@7'), 'first\n');
    assert.equal(await at('60'), 'third\n');
    const fast = await sandbox.current.run('agent', 'replay', '--fast');
    assert.equal(fast.stdout.toString(), 'third\n');
    const started = performance.now();
    const played = await sandbox.current.run('agent', 'replay', '--speed', '0.5', '--no-colors');
    const [first] = records.filter(({ kind }) => kind === 'data');
    const lastedMs = third! * 1000 - Number(first!.tsNs - records[0]!.tsNs) / 1e6;
    assert.ok(performance.now() - started > 1.9 * lastedMs, 'with its pauses');
    assert.ok(lastedMs > 100, `${lastedMs} ms`);
    assert.equal(played.stdout.toString(), 'first\r\nsecond\r\n\x1b[2J\x1b[Hthird\r\n');
    const meta = await sandbox.current.run('agent', 'replay', '--print-meta');
    assert.match(meta.stdout.toString(), /state +finished[\s\S]*output +\d+ B/);
  });

  it('prints the facts of a session, also as JSON', async () => {
    await sandbox.current.run('agent', 'record', '--', '/bin/sh', '-c', 'echo one; exit 3');
    const print = async (...args: string[]): Promise<string> =>
      (await sandbox.current.run('agent', 'replay', '--print-meta', ...args)).stdout.toString();
    const machine = os.machine() === 'arm64' ? 'aarch64' : os.machine();
    const text = await print();
    assert.match(text, new RegExp(`^host +${os.platform()} ${machine}$`, 'm'));
    assert.match(text, /^exit code +3$/m);
    const { host, exitCode, outputBytes, cmd, isCompleted } = JSON.parse(
      await print('--json'),
    ) as Record<string, unknown>;
    assert.deepEqual(
      { host, exitCode, outputBytes, cmd, isCompleted },
      {
        host: { os: os.platform(), arch: machine },
        exitCode: 3,
        outputBytes: 5,
        cmd: ['/bin/sh', '-c', 'echo one; exit 3'],
        isCompleted: true,
      },
    );
    const refused = await sandbox.current.run('agent', 'replay', '--json');
    assert.match(refused.stderr, /--json needs --print-meta/);
  });

  it('lists sessions as a table and as JSON', async () => {
    await sandbox.current.run('agent', 'record', '--', '/bin/sh', '-c', 'exit 3');
    await sandbox.current.launch(['/bin/sh', '-c', 'sleep 30']);
    const people = (await sandbox.current.run('agent', 'sessions')).stdout
      .toString()
      .trim()
      .split('\n');
    assert.equal(people.length, 3);
    assert.match(people[1]!, /running .* sleep 30$/);
    assert.match(people[2]!, /exit 3 .* exit 3$/);
    const programs = JSON.parse(
      (await sandbox.current.run('agent', 'sessions', '--json')).stdout.toString(),
    ) as { state: string; exitCode?: number }[];
    assert.deepEqual(
      programs.map(({ state, exitCode }) => [state, exitCode]),
      [
        ['running', undefined],
        ['finished', 3],
      ],
    );
  });

  slowTest('shows a progress bar for long work, to people only', async function () {
    this.timeout(180_000);
    await sandbox.current.run('agent', 'record', '--', '/bin/sh', '-c', 'seq 1 3000000');
    await sandbox.current.settled(120_000);
    const terminal = run('agent', 'branch-points', '--format', 'csv');
    await terminal.waitFor(/Reading [█░]+ +\d+ %/);
    terminal.pty.kill('SIGKILL');
    const { stderr } = await sandbox.current.run('agent', 'branch-points', '--format', 'csv');
    assert.equal(stderr, '');
  });

  it('writes branch points to a file on request', async () => {
    const target = `${sandbox.current.folder}/points.json`;
    const { exitCode } = await sandbox.current.run(
      'agent',
      'record',
      '--out-branch-points',
      target,
      '--',
      'echo',
      'hi',
    );
    assert.equal(exitCode, 0);
    const { readFileSync } = await import('node:fs');
    assert.deepEqual(JSON.parse(readFileSync(target, 'utf8')), {
      items: [{ kind: 'line', index: 0, last_write_byte: 4, text: 'hi' }],
      total_bytes: 4,
    });
  });
});
