import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { outputOf, readRecording, until, type LaunchedSession } from '../../support/ah.ts';
import { untilFile } from '../../support/processes/shellScripts.ts';
import { untilEcho } from '../../support/terminal/terminalEcho.ts';
import { useSandbox } from '../../support/useSandbox.ts';

const SECRET = 'correct-horse-battery';

describe('recording what is typed', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  let session: LaunchedSession;
  let client: RecorderClient;
  let shown = '';
  afterEach(() => client.dispose());

  async function start(script: string, capturesInput = true): Promise<void> {
    shown = '';
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: '/root' };
    const cmd = ['/bin/sh', '-c', `${script}; ${untilFile('end')}`];
    session = await sandbox.current.launch(cmd, { env, capturesInput });
    client = await RecorderClient.connect(session.hostSocket);
    client.onOutput((bytes) => {
      shown += Buffer.from(bytes).toString();
      client.acknowledge(bytes.length);
    });
    const attach = { from: 'start', answersQueries: false, lossless: true } as const;
    await client.attach({ ...attach, windowBytes: 1024 * 1024, historyLines: 0 });
  }
  const type = (text: string) => client.input(Buffer.from(text));
  const shows = (text: string) => until(() => shown.includes(text), `"${text}" on the screen`);
  async function typedSoFar(): Promise<string> {
    const { records } = await readRecording(session.recording);
    const typed = records.flatMap((record) => (record.kind === 'input' ? [record.bytes] : []));
    return Buffer.concat(typed).toString();
  }
  /** @param last the last input, which is recorded some time after it was typed */
  async function typedInTheEnd(last = ''): Promise<string> {
    await until(async () => (await typedSoFar()).endsWith(last), `"${last}" in the recording`);
    writeFileSync(path.join(sandbox.current.folder, 'end'), '');
    await sandbox.current.settled();
    const { records } = await readRecording(session.recording);
    assert.ok(!outputOf(records).includes(SECRET), 'the terminal showed it');
    for (const file of filesIn(session.folder)) {
      assert.ok(!readFileSync(file).includes(SECRET), `${file} holds it`);
    }
    return typedSoFar();
  }

  it('records what the terminal shows, in order', async () => {
    await start('echo ready; read a; read b; echo "$a and $b"');
    await shows('ready');
    for (const key of 'one\ntwo\n') type(key);
    await shows('one and two');
    assert.equal(await typedInTheEnd('two\n'), 'one\ntwo\n');
  });

  it('records no input by default', async () => {
    await start('read a; echo "got $a"', false);
    type('visible\n');
    await shows('got visible');
    assert.equal(await typedInTheEnd(), '');
  });

  /** Programs that prompt for a secret in different ways; pasted input arrives at once. */
  const hidden: readonly [string, string][] = [
    ['read -s', `bash -c 'read -r -s -p "Say it: " s; echo; echo "heard \${#s}"'`],
    ['stty -echo', 'stty -echo; echo "Say it: "; read s; stty echo; echo "heard ${#s}"'],
    [
      'getpass of Python',
      `python3 -c 'import getpass; print("heard", len(getpass.getpass("Say it: ")))'`,
    ],
    [
      'ssh, asking for a passphrase',
      `rm -f "$AH_SESSION_DIR/key"; ssh-keygen -q -t ed25519 -N ${SECRET.slice(1)} -f "$AH_SESSION_DIR/key"; ` +
        'echo "Say it: "; ssh-keygen -y -f "$AH_SESSION_DIR/key" || echo "heard 0"; rm -f "$AH_SESSION_DIR"/key*',
    ],
  ];
  for (const [name, script] of hidden) {
    for (const how of ['key by key', 'at once'] as const) {
      it(`never keeps what is typed at ${name}, ${how}`, async () => {
        await start(`echo ready; read a; ${script}; read b; echo "bye $b"`);
        await shows('ready');
        type('before\n');
        await shows('Say it:');
        await untilEcho(client, 'off');
        if (how === 'at once') type(`${SECRET}\n`);
        else for (const key of `${SECRET}\n`) type(key);
        await shows('heard');
        await untilEcho(client, 'on');
        type('after\n');
        await shows('bye after');
        assert.equal((await typedInTheEnd('after\n')).replace(/^before\n\n?/, ''), 'after\n');
      });
    }
  }

  it('never keeps a secret that sudo asks for', async () => {
    await start(
      'trap : INT; echo ready; read a; setpriv --reuid=65534 --regid=65534 --clear-groups sudo -p "Say it: " true; echo "heard $?"',
    );
    await shows('ready');
    type('before\n');
    await until(() => /Say it:|heard/.test(shown), 'sudo');
    await untilEcho(client, 'off');
    type(`${SECRET}\n`);
    // sudo rejects the password after a delay and prompts again.
    await until(() => /Sorry|heard|Say it:[\s\S]*Say it:/.test(shown), 'its answer', 20_000);
    type('\u0003');
    await shows('heard');
    assert.ok(shown.includes('Say it:'), 'sudo asked');
    // Input typed right before a question may be dropped with the answer.
    assert.match(await typedInTheEnd(), /^(?:before\n)?\u0003*$/);
  });

  it('records nothing at a prompt for a secret that echoes input', async () => {
    await start(
      'echo ready; read a; printf "API key: "; read k; echo "heard ${#k}"; read b; echo "bye $b"',
    );
    await shows('ready');
    type('before\n');
    await shows('API key:');
    type('visible-key\n');
    await shows('heard 11');
    type('after\n');
    await shows('bye after');
    const typed = await typedInTheEnd('after\n');
    assert.equal(typed, 'before\nafter\n');
  });

  it('records nothing of an answer to such a prompt that is typed key by key', async () => {
    await start(
      'echo ready; read a; printf "API key: "; read k; echo "heard ${#k}"; read b; echo "bye $b"',
    );
    await shows('ready');
    type('before\n');
    await shows('API key:');
    const answer = 'visible-key';
    for (let at = 0; at < answer.length; at++) {
      type(answer[at]!);
      await shows(`API key: ${answer.slice(0, at + 1)}`);
    }
    type('\n');
    await shows('heard 11');
    type('after\n');
    await shows('bye after');
    const typed = await typedInTheEnd('after\n');
    // Input typed right before a question may be dropped with the answer.
    assert.match(typed, /^(?:before\n)?\n?after\n$/);
  });

  it('records nothing of an answer that is pasted together with the command', async () => {
    await start(
      'echo ready; read a; printf "API key: "; read k; echo "heard ${#k}"; read b; echo "bye $b"',
    );
    await shows('ready');
    type('before\nvisible-key\n');
    await shows('heard 11');
    type('after\n');
    await shows('bye after');
    assert.ok(!(await typedInTheEnd('after\n')).includes('visible-key'));
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
