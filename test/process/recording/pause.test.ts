import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AhrRecord } from '../../../src/recording/format/records.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { readSessionNotes } from '../../../src/sessions/node/sessionNotes.ts';
import { outputOf, readRecording, until, type LaunchedSession } from '../../support/ah.ts';
import { placesOf } from '../../support/recording/secretPlaces.ts';
import { useSandbox } from '../../support/useSandbox.ts';

const SECRET = 'hunter2-the-secret';
const ATTACH = { answersQueries: false, windowBytes: 1024 * 1024, historyLines: 1000 } as const;

describe('a paused recording', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  let session: LaunchedSession;
  let workspace: string;
  let clients: RecorderClient[] = [];
  let shown = '';

  afterEach(() => {
    for (const client of clients) client.dispose();
    clients = [];
  });

  async function connect(onShow: (text: string) => void): Promise<RecorderClient> {
    const client = await RecorderClient.connect(session.hostSocket);
    clients.push(client);
    client.onOutput((bytes) => {
      onShow(Buffer.from(bytes).toString());
      client.acknowledge(bytes.length);
    });
    client.onState(({ state }) => onShow(state.toString()));
    return client;
  }

  /** Starts a shell whose first prompt is shown. */
  async function start(): Promise<RecorderClient> {
    workspace = path.join(sandbox.current.folder, 'workspace');
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, 'a.txt'), 'one\n');
    const env = { ...sandbox.current.launchEnv, PS1: 'ready> ', HISTFILE: '' };
    const options = { cwd: workspace, workspace, capturesInput: true, env };
    session = await sandbox.current.launch(['/bin/bash', '--norc', '--noprofile'], options);
    shown = '';
    const client = await connect((text) => (shown += text));
    await client.attach({ ...ATTACH, from: 'start', lossless: true });
    await until(() => shown.includes('ready>'), 'the shell');
    await type(client, 'echo be""fore', 'before');
    return client;
  }
  async function type(client: RecorderClient, line: string, answer: string): Promise<void> {
    client.input(Buffer.from(`${line}\r`));
    await until(() => shown.includes(answer), answer);
  }
  async function ah(...args: string[]): Promise<string> {
    const { exitCode, stderr, stdout } = await sandbox.current.run('agent', ...args);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    return stdout.toString();
  }
  const bytesOf = async (client: RecorderClient) => (await client.status()).byteOffset;

  /** Types, prints and writes the secret; leaves it on the screen and in a file. */
  async function showSecret(client: RecorderClient): Promise<void> {
    const file = path.join(workspace, 'secret');
    await type(client, `echo ${SECRET} | tee secret; echo shown | tr a-z A-Z`, 'SHOWN');
    assert.ok(shown.includes(SECRET), 'the live terminal shows it');
    assert.ok(existsSync(file));
    const kind = { kind: 'manual', trigger: 'manual', label: SECRET } as const;
    await assert.rejects(client.snapshot(kind), /recording is paused/);
  }

  it('stores nothing that is shown, typed or written, only marks and a line about the pause', async () => {
    const client = await start();
    assert.match(await ah('pause', session.id), /is paused/);
    assert.equal((await readSessionNotes(session.folder)).isPaused, true);
    assert.equal((await client.status()).isPaused, true);
    const before = await bytesOf(client);
    await showSecret(client);
    assert.equal(await bytesOf(client), before, 'the byte count does not advance');
    rmSync(path.join(workspace, 'secret'));
    await ah('resume', session.id);
    assert.equal((await client.status()).isPaused, false);

    let attached = '';
    const late = await connect((text) => (attached += text));
    await late.attach({ ...ATTACH, from: 'state', lossless: false });
    await until(() => attached.includes('not recorded for'), 'the state');
    assert.ok(attached.includes('before'), 'the history from before the pause');
    assert.ok(!attached.includes(SECRET), 'a later client does not get it');

    await type(client, 'echo af""ter', 'after');
    client.input(Buffer.from('exit\r'));
    await sandbox.current.settled();
    assert.deepEqual(await placesOf([sandbox.current.folder], SECRET), []);
    const { records } = await readRecording(session.recording);
    assert.deepEqual(codesOf(records), [2, 3, 1]);
    const output = outputOf(records).toString();
    assert.match(output, /before[^]*── not recorded for \d+ s ──[^]*after/);
    assert.match(await ah('branch-points', '--session', session.id), /not recorded for \d+ s/);
  });

  it('stores nothing when its recorder is killed', async () => {
    const client = await start();
    await ah('pause', session.id);
    await showSecret(client);
    await sandbox.current.killRecorders();
    rmSync(path.join(workspace, 'secret'));
    assert.deepEqual(await placesOf([sandbox.current.folder], SECRET), []);
    const { records } = await readRecording(session.recording);
    assert.deepEqual(codesOf(records), [2]);
    assert.match(outputOf(records).toString(), /before/);
    await assertEndsWith('not recorded from here on');
  });

  it('stores nothing when the program ends', async () => {
    const client = await start();
    await ah('pause', session.id);
    await showSecret(client);
    client.input(Buffer.from('exit\r'));
    await sandbox.current.settled();
    rmSync(path.join(workspace, 'secret'));
    assert.deepEqual(await placesOf([sandbox.current.folder], SECRET), []);
    const { records } = await readRecording(session.recording);
    assert.deepEqual(codesOf(records), [2, 1]);
    await assertEndsWith('not recorded for \\d+ s');
  });

  /** Checks the exports of a recording whose pause was not resumed. */
  async function assertEndsWith(text: string): Promise<void> {
    const line = `── ${text} ──`;
    const which = ['--session', session.id];
    const markdown = await ah('transcript', ...which);
    assert.match(markdown, new RegExp(`before[^]*\n${line}\n\`\`\`\n$`));
    assert.match(await ah('branch-points', ...which), new RegExp(`\`${line}\` \\|\n$`));
    const json = await ah('branch-points', '--format', 'json', ...which);
    assert.match(json, new RegExp(`"text":"${line}"\\}\n\\],"total_bytes"`));
    assert.match(await ah('branch-points', '--format', 'csv', ...which), new RegExp(`,${line}\n$`));
    // The replay also warns, because the recorder was killed.
    const replayed = await sandbox.current.run('agent', 'replay', '--fast', ...which);
    assert.match(replayed.stdout.toString(), new RegExp(`before[^]*\n${line}\n$`));
  }
});

function codesOf(records: readonly AhrRecord[]): number[] {
  return records.flatMap((record) => (record.kind === 'mark' ? [record.code] : []));
}
