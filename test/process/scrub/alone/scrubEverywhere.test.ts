import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RecorderClient } from '../../../../src/sessions/node/recorderClient.ts';
import {
  changeSessionNotes,
  readSessionNotes,
} from '../../../../src/sessions/node/sessionNotes.ts';
import { cliFile, collect, outputOf, readRecording, until } from '../../../support/ah.ts';
import { outputOfClient } from '../../../support/recording/outputOfClient.ts';
import { filesIn, placesOf } from '../../../support/recording/secretPlaces.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

/** Only characters that every place allows, including file names. */
const SECRET = 'planted0123456789everywhere';

/** Puts a text into every possible place, then searches all files of the extension. */
describe('ah agent scrub, of a text in every place', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  function ah(args: readonly string[], input = '') {
    const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1', HOME: place.path };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], { env, stdio: 'pipe' });
    child.stdin.end(input);
    return collect(child);
  }

  it('removes it from all files of the extension and all new files', async () => {
    const cwd = path.join(place.path, 'project');
    mkdirSync(cwd);
    await userGit(cwd, 'init', '-q');
    const coded = Buffer.from(`copied ${SECRET}`).toString('base64');
    const script = [
      'echo "printed $1"',
      `printf '\\033]0;titled %s\\007' "$1"`,
      `printf '\\033]52;c;${coded}\\007'`,
      `printf '│ %s │\\r\\n│ %s │\\r\\n' "\${1:0:9}" "\${1:9}"`,
      'echo "in a file: $1" > a.txt; echo 1 > "named-$1.txt"; ln -s "$1" link; mkdir "folder-$1"; echo 2 > "folder-$1/b"',
      '"$NODE" "$CLI" agent fs snapshot --label "labelled $1" > /dev/null',
      'rm -r a.txt "named-$1.txt" link "folder-$1"',
      // Input is stored after 150 ms.
      'echo ready; read typed; echo "heard ${#typed}"; sleep 0.3',
    ].join('\n');
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: place.path };
    const own = { NODE: process.execPath, CLI: cliFile, AH_DATA_DIR: sandbox.current.folder };
    const temporary = new Set(readdirSync(os.tmpdir()));
    const session = await sandbox.current.launch(['/bin/bash', '-c', script, 'bash', SECRET], {
      cwd,
      workspace: cwd,
      env: { ...env, ...own },
      capturesInput: true,
    });
    const client = await RecorderClient.connect(session.hostSocket);
    const shown = await outputOfClient(client);
    await until(() => shown().includes('ready'), 'the question', 30_000);
    client.input(Buffer.from(`typed ${SECRET}\n`));
    await until(() => shown().includes('heard'), 'the answer');
    client.dispose();
    await sandbox.current.settled(60_000);
    await changeSessionNotes(session.folder, { name: `called ${SECRET}` });
    appendFileSync(path.join(session.folder, 'host.log'), `Bug: "${SECRET}" is not JSON\n`);
    writeFileSync(path.join(session.folder, 'session.meta.json.0a1b2c3d.tmp'), `{"${SECRET}":1}`);
    const labelled = ['fs', 'list', '--session', session.id, '--json'];
    const listed = (await ah(labelled)).stdout.toString();
    const number = /"id":(\d+)[^{}]*"label":"labelled/.exec(listed)?.[1];
    assert.ok(number !== undefined, listed);
    const restored = await ah(['fs', 'restore', number, '--session', session.id, '--yes']);
    assert.equal(restored.exitCode, 0, restored.stderr);
    const branch = ['branch', '--session', session.id, '--snapshot', number, '--no-launch'];
    const made = await ah([...branch, '--name', 'aside', '--message', `do ${SECRET}`]);
    assert.equal(made.exitCode, 0, made.stderr);
    const branchFolder = path.join(`${cwd}.branches`, 'aside');
    const ours = [sandbox.current.folder, path.join(branchFolder, '.ah')];
    const names = (files: readonly string[]) => [
      ...new Set(files.map((file) => path.basename(file))),
    ];
    const before = names(await placesOf(ours, SECRET));
    for (const name of [
      'session.ahr',
      'session.meta.json',
      'session.snapshots.jsonl',
      'session.notes.json',
      'host.log',
      'branch.json',
      'store.git',
    ]) {
      assert.ok(before.includes(name), `${name} is among ${before.join(', ')}`);
    }
    const { records } = await readRecording(session.recording);
    assert.ok(
      records.some(({ kind }) => kind === 'input'),
      'what was typed was kept',
    );

    const { exitCode, stdout, stderr } = await ah(['scrub', session.id], `${SECRET}\n`);
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual(await placesOf(ours, SECRET), []);
    const safe = await readRecording(session.recording);
    const output = outputOf(safe.records).toString();
    assert.ok(!output.includes(coded), 'the clipboard');
    assert.ok(!output.includes(SECRET.slice(9)) && !output.includes(SECRET.slice(0, 9)), output);
    assert.equal(outputOf(records).length, outputOf(safe.records).length);
    assert.equal(
      (await readSessionNotes(session.folder)).name,
      `called ${'*'.repeat(SECRET.length)}`,
    );
    const left = readdirSync(os.tmpdir())
      .filter((name) => /^ah[-.]/.test(name) && !temporary.has(name))
      .map((name) => path.join(os.tmpdir(), name));
    assert.deepEqual(await placesOf(left, SECRET), []);
    // The user's own files are unchanged, in the branch too.
    const kept = filesIn(branchFolder).filter((file) => file.includes(SECRET));
    assert.ok(kept.length > 0 && /were not changed/.test(stdout.toString()));
  });
});
