import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RecorderClient } from '../../../../src/sessions/node/recorderClient.ts';
import type { Catalogue } from '../../../../src/sessions/node/catalogue.ts';
import { readSessionMeta } from '../../../../src/sessions/node/sessionMeta.ts';
import { markInterrupted } from '../../../../src/sessions/node/liveness.ts';
import { cliFile, collect, outputOf, readRecording, until } from '../../../support/ah.ts';
import { runInPty } from '../../../support/terminal/ptyRun.ts';
import { untilFile } from '../../../support/processes/shellScripts.ts';
import { useSandbox } from '../../../support/useSandbox.ts';
import { slowTest } from '../../../support/tiers.ts';

/** How users and scripts use commands, and what they expect. */
describe('a recorded command', () => {
  const sandbox = useSandbox();

  slowTest(
    'returns its output and exit code, also of short commands, many at a time',
    async function () {
      this.timeout(60_000);
      const one = (index: number) =>
        sandbox.current.run(
          'agent',
          'record',
          '--',
          '/bin/sh',
          '-c',
          `echo ${index}; exit ${index}`,
        );
      for (let round = 0; round < 3; round++) {
        const results = await Promise.all(Array.from({ length: 8 }, (_, index) => one(index)));
        results.forEach(({ exitCode, stdout, stderr }, index) => {
          assert.deepEqual([exitCode, stdout.toString(), stderr], [index, `${index}\r\n`, '']);
        });
      }
    },
  );

  it('has the same umask, arguments and folder as without a recorder', async () => {
    const script = 'umask; pwd; printf "%s|" "$@"';
    const command = `umask 0027; cd /; exec ${process.execPath} ${cliFile} agent record -- sh -c '${script}' name 'a b' '' '$x'`;
    const { stdout } = await collect(
      spawn('/bin/sh', ['-c', command], { env: sandbox.current.env, stdio: 'pipe' }),
    );
    assert.equal(stdout.toString(), '0027\r\n/\r\na b||$x|');
  });

  it('ends when the reader of its output ends, as in any pipe', async () => {
    const command = `${process.execPath} ${cliFile} agent record -- yes | head -1`;
    const { stdout } = await collect(
      spawn('/bin/sh', ['-c', command], {
        env: sandbox.current.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    assert.equal(stdout.toString(), 'y\r\n');
    await sandbox.current.settled(30_000);
  });

  it('gets all its input, even if it reads late', async function () {
    this.timeout(90_000);
    const total = 20_000_000;
    const reader = `process.stdin.setRawMode(true); process.stdout.write('ready');
      let n = 0; setTimeout(() => process.stdin.on('data', (d) => { n += d.length; if (n >= ${total}) { console.log('got ' + n); process.exit(); } }), 300);`;
    const child = sandbox.current.start('agent', 'record', '--', process.execPath, '-e', reader);
    const result = collect(child);
    await new Promise((resolve) => child.stdout!.once('data', resolve));
    child.stdin!.end(Buffer.alloc(total, 'x'));
    // The program counts one byte more if it reads the Ctrl-D that ends the input together with it.
    assert.match((await result).stdout.toString(), new RegExp(`got (${total}|${total + 1})\\b`));
  });

  it('keeps running when a viewer ends', async () => {
    const launched = await sandbox.current.launch(['/bin/sh', '-c', 'echo hello; cat']);
    const viewer = sandbox.current.start('agent', 'attach', launched.id);
    await new Promise((resolve) => viewer.stdout!.once('data', resolve));
    const ended = collect(viewer);
    viewer.kill('SIGTERM');
    assert.equal((await ended).exitCode, 0);
    const client = await RecorderClient.connect(launched.hostSocket);
    assert.equal((await client.status()).isRunning, true);
  });

  it('restores the terminal of a viewer', async () => {
    const fullScreen = 'printf "\\033[?1049h\\033[?1000h\\033[?1h\\033=app"; cat';
    const launched = await sandbox.current.launch(['/bin/sh', '-c', fullScreen]);
    const { folder, env } = sandbox.current;
    const viewer = runInPty(process.execPath, [cliFile, 'agent', 'attach', launched.id], {
      cwd: folder,
      env,
    });
    await viewer.waitFor('app');
    viewer.pty.write('\x1d');
    await viewer.ended;
    const after = viewer.output().toString().split('app')[1]!;
    for (const sequence of ['\x1b[?1049l', '\x1b[?1000;', '\x1b[?1l', '\x1b>', '\x1b[?25h'])
      assert.ok(after.includes(sequence), JSON.stringify(after));
  });

  it('gets the size of the remaining terminal when another one leaves', async () => {
    const script = 'trap "stty size" WINCH; stty size; while :; do sleep 0.02; done';
    const { folder, env } = sandbox.current;
    const stays = runInPty(
      process.execPath,
      [cliFile, 'agent', 'record', '--', '/bin/sh', '-c', script],
      { cwd: folder, env, cols: 100, rows: 30 },
    );
    await stays.waitFor('30 100');
    const [session] = await sandbox.current.catalogue.list();
    const leaves = runInPty(process.execPath, [cliFile, 'agent', 'attach', session!.meta.id], {
      cwd: folder,
      env,
      cols: 50,
      rows: 12,
    });
    await stays.waitFor('12 50');
    leaves.pty.write('\x1d');
    await leaves.ended;
    await stays.waitFor(/12 50[\s\S]*30 100/);
    stays.pty.write('\x03');
    await stays.ended;
  });

  it('gets the reply to a query from one terminal only, and not from a replay', async () => {
    const asker = `process.stdin.setRawMode(true);
      process.stdin.on('data', (d) => process.stdout.write('<' + JSON.stringify(String(d)) + '>'));
      const { existsSync } = require('node:fs');
      let isAsked = false;
      // A second reply would directly follow the first.
      setInterval(() => {
        if (!isAsked && existsSync('ask')) process.stdout.write('\\x1b[6n');
        isAsked ||= existsSync('ask');
        if (existsSync('enough')) setTimeout(() => process.exit(), 100);
      }, 20);`;
    const launched = await sandbox.current.launch([process.execPath, '-e', asker]);
    const shown: string[] = ['', ''];
    for (const index of [0, 1]) {
      const client = await RecorderClient.connect(launched.hostSocket);
      client.onOutput((bytes) => {
        shown[index] += Buffer.from(bytes).toString();
        client.acknowledge(bytes.length);
        if (Buffer.from(bytes).includes('\x1b[6n')) client.input(Buffer.from(`answer ${index}`));
      });
      await client.attach({
        from: 'state',
        answersQueries: true,
        lossless: false,
        windowBytes: 65536,
        historyLines: 0,
      });
    }
    const { folder, env } = sandbox.current;
    writeFileSync(path.join(folder, 'ask'), '');
    await until(() => shown[0]!.includes('>'), 'the answer');
    writeFileSync(path.join(folder, 'enough'), '');
    await sandbox.current.settled();
    const output = outputOf((await readRecording(launched.recording)).records).toString();
    assert.deepEqual(output.match(/<[^>]*>/g), ['<"answer 0">']);
    assert.ok(shown[0]!.includes('\x1b[6n') && !shown[1]!.includes('\x1b[6n'));
    const replay = runInPty(process.execPath, [cliFile, 'agent', 'replay', '--speed', '20'], {
      cwd: folder,
      env,
    });
    await replay.ended;
    assert.ok(!replay.output().includes('\x1b[6n'));
  });

  it('writes a file that is the user’s own as soon as the command returns', async () => {
    const file = path.join(sandbox.current.folder, 'mine.ahr');
    await sandbox.current.run('agent', 'record', '--out-file', file, '--', 'seq', '1', '60000');
    renameSync(file, `${file}.moved`);
    await sandbox.current.settled();
    assert.deepEqual(await sandbox.current.catalogue.list(), []);
    assert.equal((await sandbox.current.run('agent', 'validate', `${file}.moved`)).exitCode, 0);
  });

  it('removes recognizable secrets from its branch points with --redact', async () => {
    const key = `sk-ant-${'a1'.repeat(20)}`;
    await sandbox.current.run('agent', 'record', '--', 'echo', `the key ${key} is here`);
    const plain = await sandbox.current.run('agent', 'branch-points', '--format', 'json');
    assert.ok(plain.stdout.toString().includes(key));
    const safe = await sandbox.current.run(
      'agent',
      'branch-points',
      '--format',
      'json',
      '--redact',
    );
    const { items } = JSON.parse(safe.stdout.toString()) as { items: { text?: string }[] };
    assert.equal(items.find(({ text }) => text)?.text, 'the key [redacted] is here');
  });

  it('leaves out keys of many lines, wrapped ones and values of variables too', async () => {
    const lines = Array.from({ length: 12 }, (_, at) =>
      createHash('sha384').update(`planted ${at}`).digest('base64'),
    );
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'];
    const token = `sk-ant-${'a1b2c3d4'.repeat(20)}`;
    const { current } = sandbox;
    const value = 'planted/value+of=a:variable';
    const script = `printf '%s\n' ${key.map((line) => `'${line}'`).join(' ')}; echo 'token ${token}'; echo 'the ${value} is'; echo the end`;
    await current.run('agent', 'record', '--', 'sh', '-c', script);
    const args = [cliFile, 'agent', 'branch-points', '--redact', '--format', 'csv'];
    const env = { ...current.env, PLANTED_TOKEN: value };
    const { stdout } = await collect(spawn(process.execPath, args, { env, stdio: 'pipe' }));
    const text = stdout.toString();
    for (const secret of [...lines, 'a1b2c3d4', value]) assert.ok(!text.includes(secret), text);
    assert.match(text, /the \[redacted\] is/);
    assert.match(text, /the end/);
  });

  it('keeps its exit code when its branch points cannot be written', async () => {
    const early = await sandbox.current.run(
      'agent',
      'record',
      '--out-branch-points',
      '/no/where/x',
      '--',
      'true',
    );
    assert.equal(early.exitCode, 2);
    const late = await sandbox.current.run(
      'agent',
      'record',
      '--out-branch-points',
      '/proc/x',
      '--',
      '/bin/sh',
      '-c',
      'exit 5',
    );
    assert.equal(late.exitCode, 5);
    assert.match(late.stderr, /Can't write the branch points/);
  });
});

describe('other recorders', () => {
  const sandbox = useSandbox();

  it('that hang don’t delay other commands', async function () {
    this.timeout(30_000);
    await sandbox.current.launch(['/bin/sh', '-c', 'sleep 60']);
    process.kill(sandbox.current.recorders()[0]!, 'SIGSTOP');
    const started = performance.now();
    assert.equal((await sandbox.current.run('agent', 'record', '--', 'true')).exitCode, 0);
    assert.match((await sandbox.current.run('agent', 'sessions')).stdout.toString(), /running/);
    assert.ok(performance.now() - started < 8000);
  });

  it('that end during the check are not reported as interrupted', async () => {
    const launched = await sandbox.current.launch(['/bin/sh', '-c', 'echo x']);
    await sandbox.current.settled();
    const session = await launched.session();
    // The session as another process listed it just before the session ended.
    const running = { ...session, meta: { ...session.meta, state: 'running' as const } };
    const earlier = { list: () => Promise.resolve([running]) } as unknown as Catalogue;
    assert.deepEqual(await markInterrupted(earlier), []);
    assert.equal((await readSessionMeta(launched.folder)).state, 'finished');
  });

  it('end even if a client stays attached', async () => {
    const launched = await sandbox.current.launch(['/bin/sh', '-c', untilFile('go')]);
    const { connect } = await import('node:net');
    const stubborn = connect({ path: launched.hostSocket, allowHalfOpen: true }).on(
      'error',
      () => {},
    );
    stubborn.pause();
    await once(stubborn, 'connect');
    writeFileSync(path.join(sandbox.current.folder, 'go'), '');
    await until(() => sandbox.current.recorders().length === 0, 'the recorder to be gone', 15_000);
    stubborn.destroy();
  });
});
