import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { output, write } from '../../support/recording/recordings.ts';
import { useSandbox } from '../../support/useSandbox.ts';

describe('errors of the command line', () => {
  const sandbox = useSandbox();

  async function refuses(args: string[], exitCode: number, message: RegExp): Promise<void> {
    const result = await sandbox.current.run(...args);
    assert.equal(result.exitCode, exitCode, `${args.join(' ')}: ${result.stderr}`);
    assert.match(result.stderr, message);
    assert.equal(result.stdout.toString(), '');
    assert.doesNotMatch(result.stderr, /^\s+at /m, 'no stack trace');
  }

  it('reports bad arguments with exit code 2', async () => {
    await refuses(['agent', 'record'], 2, /missing required argument/);
    await refuses(
      ['agent', 'record', '--brotli-q', '12', '--', 'true'],
      2,
      /whole number from 0 to 11/,
    );
    await refuses(['agent', 'record', '--cols', '0', '--', 'true'], 2, /whole number from 1/);
    await refuses(
      ['agent', 'record', '--ipc', 'pigeon', '--', 'true'],
      2,
      /must be auto, uds or tcp:HOST:PORT/,
    );
    await refuses(
      ['agent', 'record', '--ipc', 'tcp:0.0.0.0:99', '--', 'true'],
      2,
      /Other machines could reach/,
    );
    await refuses(['agent', 'record', '--colour', '--', 'true'], 2, /unknown option '--colour'/);
    await refuses(['agent', 'replay', '--at', 'noon'], 2, /Use @BYTE/);
    await refuses(['agent', 'replay', '--speed', '0'], 2, /above 0/);
    await refuses(['agent', 'branch-points', '--format', 'pdf'], 2, /md, json, csv/);
    await refuses(['agent', 'fly'], 2, /unknown command 'fly'/);
  });

  it('exits like a shell for a command that does not exist or cannot run', async () => {
    await refuses(
      ['agent', 'record', '--', 'no-such-command'],
      127,
      /the command "no-such-command"/,
    );
    await refuses(['agent', 'record', '--', './nothing/here'], 127, /find the command/);
    await refuses(['agent', 'record', '--', sandbox.current.folder], 126, /is a folder/);
    const plain = path.join(sandbox.current.folder, 'plain.txt');
    writeFileSync(plain, 'text');
    await refuses(['agent', 'record', '--', plain], 126, /not executable/);
    assert.deepEqual(await sandbox.current.catalogue.list(), [], 'no session is left behind');
  });

  it('says that a recording is of a newer version', async () => {
    const file = path.join(sandbox.current.folder, 'newer.ahr');
    const bytes = (await write(output(100, 10), 1)).bytes;
    bytes[4] = 2;
    writeFileSync(file, bytes);
    for (const args of [['replay', '--session'], ['branch-points', '--session'], ['validate']])
      await refuses(['agent', ...args, file], 1, /newer\.ahr was written by a newer version/);
  });

  it('names files that are not recordings', async () => {
    const file = path.join(sandbox.current.folder, 'notes.ahr');
    writeFileSync(file, 'Dear diary, this is not a recording at all.');
    mkdirSync(path.join(sandbox.current.folder, 'folder.ahr'));
    for (const command of ['replay', 'branch-points']) {
      await refuses(
        ['agent', command, '--session', file],
        1,
        /notes\.ahr is not an \.ahr recording/,
      );
      await refuses(['agent', command, '--session', `${file}x`], 1, /no session|no such file/i);
      await refuses(['agent', command, '--session', './nowhere.ahr'], 1, /no such file/);
      await refuses(
        ['agent', command, '--session', path.join(sandbox.current.folder, 'folder.ahr')],
        1,
        /Can't open/,
      );
    }
    await refuses(['agent', 'validate', file], 1, /is not an \.ahr recording/);
    await refuses(['agent', 'validate', `${file}x`], 1, /no such file/);
  });

  it('names sessions that are unknown, ambiguous, or not running', async () => {
    await refuses(['agent', 'replay'], 1, /No sessions yet/);
    await refuses(['agent', 'attach', 'abc'], 1, /no session "abc"/);
    await refuses(['agent', 'stop', 'abc'], 1, /no session "abc"/);
    await sandbox.current.run('agent', 'record', '--', 'true');
    await sandbox.current.run('agent', 'record', '--', 'true');
    await sandbox.current.settled();
    const [session] = await sandbox.current.catalogue.list();
    await refuses(['agent', 'attach', session!.meta.id], 1, /not running/);
    await refuses(['agent', 'stop', session!.meta.id], 1, /not running/);
    await refuses(['agent', 'replay', '--session', '20'], 1, /2 sessions match "20"/);
  });

  it('overwrites existing files only with --overwrite', async () => {
    const file = path.join(sandbox.current.folder, 'mine.ahr');
    writeFileSync(file, 'precious');
    await refuses(['agent', 'record', '--out-file', file, '--', 'true'], 2, /already exists/);
    await refuses(
      ['agent', 'record', '--out-file', '/no/such/folder/x.ahr', '--', 'true'],
      2,
      /folder of .* does not exist/,
    );
    await refuses(
      ['agent', 'record', '--out-file', '/proc/nothing.ahr', '--', 'true'],
      1,
      /Can't create the recording/,
    );
    assert.deepEqual(await sandbox.current.catalogue.list(), [], 'no session is left behind');
    const result = await sandbox.current.run(
      'agent',
      'record',
      '--out-file',
      file,
      '--overwrite',
      '--',
      'echo',
      'new',
    );
    assert.equal(result.exitCode, 0);
  });

  it('describes the kind, place and extent of damage', async () => {
    const file = path.join(sandbox.current.folder, 'torn.ahr');
    await sandbox.current.run('agent', 'record', '--out-file', file, '--', 'seq', '1', '5000');
    await sandbox.current.settled();
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([whole, whole.subarray(0, 60)]));
    const result = await sandbox.current.run('agent', 'validate', file);
    assert.equal(result.exitCode, 1);
    const text = result.stdout.toString();
    assert.match(text, /damaged/);
    assert.match(text, new RegExp(`error: The first ${whole.length} .*bytes are intact`));
    assert.match(
      text,
      new RegExp(`The first ${whole.length} of ${whole.length + 60} bytes are intact`),
    );
    const replayed = await sandbox.current.run('agent', 'replay', '--fast', '--session', file);
    assert.equal(
      replayed.stdout.toString().trim().split('\n').length,
      5000,
      'the intact part is complete',
    );
    assert.match(replayed.stderr, /are intact; the block after them lacks/);
  });

  it('has help for each command', async () => {
    const commands = [
      [],
      ['agent'],
      ...['record', 'replay', 'branch-points', 'sessions', 'attach', 'stop', 'validate'].map(
        (name) => ['agent', name],
      ),
    ];
    for (const command of commands) {
      const { exitCode, stdout } = await sandbox.current.run(...command, '--help');
      assert.equal(exitCode, 0, command.join(' '));
      assert.match(stdout.toString(), /^Usage: ah/);
    }
  });

  it('prints its version, and completions for a shell', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const printed = await sandbox.current.run('--version');
    assert.equal(printed.stdout.toString(), `${version}\n`);
    const completion = await sandbox.current.run('completion', 'bash');
    assert.match(completion.stdout.toString(), /^complete .* ah$/m);
  });
});
