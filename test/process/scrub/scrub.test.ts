import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { draftRecording } from '../../../src/scrub/node/scrubRecording.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { CatalogueWatcher } from '../../../src/sessions/node/catalogueWatcher.ts';
import { FactIndex } from '../../../src/search/node/factIndex.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import {
  cliFile,
  collect,
  outputOf,
  readRecording,
  until,
  type LaunchedSession,
} from '../../support/ah.ts';
import { placesOf } from '../../support/recording/secretPlaces.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const SECRETS = ['sk-ant-api03-planted0123456789', 'hunter2 "quoted" pässword'];

/** Prints the secrets plain, in colour and by letter, and in its title, hooks and transcript. */
const AGENT = `#!/bin/bash
relay="\${2%/*}/hooks/relay.sh"
tell() { printf '%s' "$2" | /bin/sh "$relay" "$1"; }
one='${SECRETS[0]}'
json='hunter2 \\"quoted\\" pässword'
mkdir -p "$HOME/.claude/projects"
name=$(pwd -P | sed 's/[^A-Za-z0-9]/-/g')
mkdir -p "$HOME/.claude/projects/$name"
transcript="$HOME/.claude/projects/$name/11111111-2222-4333-8444-555555555555.jsonl"
printf '{"type":"user","uuid":"u1","timestamp":"2026-01-01T00:00:00Z","cwd":"%s","sessionId":"11111111-2222-4333-8444-555555555555","message":{"role":"user","content":"use %s and %s"}}\\n' "$(pwd -P)" "$one" "$json" > "$transcript"
tell SessionStart "{\\"session_id\\":\\"11111111-2222-4333-8444-555555555555\\",\\"transcript_path\\":\\"$transcript\\"}"
tell UserPromptSubmit "{\\"session_id\\":\\"s\\",\\"prompt\\":\\"use $one and $json\\"}"
call="\\"session_id\\":\\"s\\",\\"tool_use_id\\":\\"c1\\",\\"tool_name\\":\\"Bash\\",\\"tool_input\\":{\\"command\\":\\"echo $one $json\\"}"
echo "plain $one"
printf 'coloured '; for (( i=0; i<\${#one}; i++ )); do printf '\\033[3%dm%s\\033[0m' $((i % 8)) "\${one:$i:1}"; done; echo
printf '\\033]0;title %s\\007' "$one"
echo 'other ${SECRETS[1]}'
printf 'KEY=%s\\n' "$one" > .env
mkdir -p deep/er; printf '%s' '${SECRETS[1]}' > "deep/er/notes.txt"; echo harmless > deep/keep.txt
for (( i=0; i<400; i++ )); do echo "$one $i" > "deep/many-$i.txt"; done
echo harmless > "deep/named-$one.txt"
git add -f .env
tell PreToolUse "{$call}"
tell PostToolUse "{$call,\\"tool_response\\":\\"$one\\"}"
echo "$one" > late.txt
"$NODE" "$CLI" agent fs snapshot --label "with $one" >/dev/null
tell Stop "{\\"session_id\\":\\"s\\",\\"last_assistant_message\\":\\"Used $one.\\"}"
`;

describe('ah agent scrub', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();
  const disk = useBtrfsDisk({ sizeMib: 256 });

  async function recorded(cwd = workspace.path) {
    process.env['AH_DATA_DIR'] = sandbox.current.folder;
    await userGit(cwd, 'init', '-q');
    const program = path.join(sandbox.current.folder, 'bin/claude');
    mkdirSync(path.dirname(program), { recursive: true });
    writeFileSync(program, AGENT, { mode: 0o755 });
    const session = await sandbox.current.launch([program], {
      agent: 'claudeCode',
      cwd,
      workspace: cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        TERM: 'xterm-256color',
        HOME: sandbox.current.folder,
        NODE: process.execPath,
        CLI: cliFile,
        AH_DATA_DIR: sandbox.current.folder,
      },
    });
    await sandbox.current.settled(60_000);
    return session;
  }
  async function scrub(id: string, text: string) {
    const args = [cliFile, 'agent', 'scrub', id, '--json'];
    const child = spawn(process.execPath, args, { env: sandbox.current.env, stdio: 'pipe' });
    child.stdin.end(`${text}\n`);
    return collect(child);
  }
  const snapshotStore = () => path.join(sandbox.current.folder, 'snapshots');

  it('removes a secret from all files, blocks, objects and indexes, and keeps everything else', async () => {
    const session = await recorded();
    const before = await session.session();
    const index = await FactIndex.open(path.join(sandbox.current.folder, 'search.sqlite'), []);
    const searched = [{ id: session.id, folder: session.folder }];
    await index.update(searched);
    // Another window has the index open, with its latest writes in the log file.
    const database = ['', '-wal', '-shm'].map((end) =>
      path.join(sandbox.current.folder, `search.sqlite${end}`),
    );
    const ours = [session.folder, snapshotStore(), ...database];
    for (const file of database) assert.ok(existsSync(file), file);
    assert.equal((await index.search('quoted', 9)).length > 0, true, 'it is found by searching');
    for (const secret of SECRETS)
      assert.ok((await placesOf(ours, secret)).length > 0, 'it was planted');
    assert.ok(
      (await placesOf([path.join(session.folder, 'agent/transcripts')], SECRETS[0]!)).length > 0,
      'in the kept transcript',
    );
    const filesBefore = await SessionFiles.open(before);
    const kept = filesBefore.snapshots.filter(({ files }) => files.state === 'kept');
    assert.ok(kept.length >= 2, 'snapshots');
    await filesBefore.dispose();
    const textBefore = outputOf((await readRecording(session.recording)).records).toString();

    const { folder } = sandbox.current.catalogue;
    const watcher = new CatalogueWatcher(folder);
    let announced = 0;
    watcher.onDidChange(() => announced++);
    for (const secret of SECRETS) {
      const { exitCode, stdout, stderr } = await scrub(session.id, secret);
      assert.equal(stderr, '');
      assert.equal(exitCode, 0);
      const result = JSON.parse(stdout.toString()) as Record<string, number>;
      assert.ok(result['recording']! > 0 && result['files']! > 0, stdout.toString());
      assert.ok(result['rewrittenSnapshots']! > 0, stdout.toString());
    }

    for (const secret of SECRETS) assert.deepEqual(await placesOf(ours, secret), []);
    assert.ok(index.isGone, 'the other window notices');
    await until(() => announced > 0, 'the other window to be notified');
    watcher.dispose();
    await index.update(searched);
    assert.deepEqual(
      await index.search('quoted', 9),
      [],
      'and would find nothing in its own either',
    );
    index.close();
    const { records } = await readRecording(session.recording);
    const text = outputOf(records).toString();
    assert.equal(text.length >= textBefore.length, true);
    assert.equal(
      outputOf(records).length,
      Buffer.byteLength(textBefore),
      'every place stays where it is',
    );
    const plain = text.replace(/\u001b\[\d*m/g, '');
    assert.match(plain, /plain \*{30}\r\n/);
    assert.match(plain, /coloured \*{30}\r\n/);

    const files = await SessionFiles.open(await session.session());
    const planted = files.snapshots.find(({ label }) => label.startsWith('with'))!;
    assert.equal(planted.label, `with ${'*'.repeat(30)}`);
    const tree = await files.tree(planted.id);
    assert.equal(Buffer.from(await tree.read('deep/keep.txt')).toString(), 'harmless\n');
    assert.equal(Buffer.from(await tree.read('.env')).toString(), `KEY=${'*'.repeat(30)}\n`);
    await files.dispose();
    // The user's own files are unchanged.
    assert.ok(readFileSync(path.join(workspace.path, '.env'), 'utf8').includes(SECRETS[0]!));
    const git = path.join(snapshotStore(), readdirSync(snapshotStore())[0]!, 'store.git');
    execFileSync('git', ['--git-dir', git, 'fsck', '--full', '--no-dangling'], { stdio: 'pipe' });
  });

  it('deletes Btrfs snapshots with the text, and no others', async () => {
    const cwd = disk.current.subvolume('project');
    const kept = async (launched: LaunchedSession) => {
      const files = await SessionFiles.open(await launched.session());
      await files.dispose();
      return files.snapshots.filter((each) => each.files.state === 'kept').length;
    };
    const harmless = await sandbox.current.launch(['/bin/true'], { cwd, workspace: cwd });
    await sandbox.current.settled(60_000);
    const keptBefore = await kept(harmless);
    assert.ok(keptBefore > 0, 'a snapshot without it');
    const session = await recorded(cwd);
    assert.ok((await kept(session)) >= 2, 'snapshots with it');
    const ours = [session.folder, path.join(disk.current.folder, '.ah-snapshots')];
    assert.ok((await placesOf(ours.slice(1), SECRETS[0]!)).length > 0, 'it was planted');
    for (const secret of SECRETS) {
      const { exitCode, stderr, stdout } = await scrub(session.id, secret);
      assert.equal(stderr, '');
      assert.equal(exitCode, 0);
      const { removedSnapshots } = JSON.parse(stdout.toString()) as Record<string, number>;
      assert.ok(secret !== SECRETS[0] || removedSnapshots! > 0, 'snapshots had it');
    }
    for (const secret of SECRETS) assert.deepEqual(await placesOf(ours, secret), []);
    assert.equal(await kept(harmless), keptBefore);
    assert.ok(readFileSync(path.join(cwd, '.env'), 'utf8').includes(SECRETS[0]!));
  });

  it('is followed by complete snapshots', async () => {
    const session = await recorded();
    assert.equal((await scrub(session.id, SECRETS[0]!)).exitCode, 0);
    writeFileSync(path.join(workspace.path, '.env'), 'KEY=new\n');
    const next = await sandbox.current.launch(['/bin/sh', '-c', 'echo hi > made.txt'], {
      cwd: workspace.path,
      workspace: workspace.path,
    });
    await sandbox.current.settled(60_000);
    const files = await SessionFiles.open(await next.session());
    const last = files.snapshots.findLast(({ files: each }) => each.state === 'kept')!;
    const tree = await files.tree(last.id);
    for (const [name, content] of [
      ['made.txt', 'hi\n'],
      ['.env', 'KEY=new\n'],
      ['deep/keep.txt', 'harmless\n'],
    ] as const) {
      assert.equal(Buffer.from(await tree.read(name)).toString(), content);
    }
    await files.dispose();
  });

  it('leaves the recording unchanged when aborted', async () => {
    const session = await sandbox.current.launch(['/bin/echo', SECRETS[0]!]);
    await sandbox.current.settled();
    const before = readFileSync(session.recording);
    const signal = AbortSignal.abort();
    const stopped = draftRecording(session.recording, SECRETS[0]!, { quality: 4, signal });
    await assert.rejects(stopped, { name: 'AbortError' });
    assert.deepEqual(readFileSync(session.recording), before);
    assert.deepEqual(
      readdirSync(session.folder).filter((name) => name.endsWith('.scrub')),
      [],
    );
  });

  it('checks for a running session in the same folder before it asks for the text', async () => {
    const place = { cwd: workspace.path, workspace: workspace.path };
    const ended = await sandbox.current.launch(['/bin/true'], place);
    await sandbox.current.settled();
    const neighbour = await sandbox.current.launch(['/bin/cat'], place);
    const args = [cliFile, 'agent', 'scrub', ended.id];
    // The command would wait for the text, since its standard input stays open.
    const child = spawn(process.execPath, args, { env: sandbox.current.env, stdio: 'pipe' });
    const refused = await collect(child);
    assert.equal(
      refused.stderr,
      `ah: Session ${neighbour.id} is running in the same folder; stop it first.\n`,
    );
    assert.equal(refused.exitCode, 1);
  });

  it('reports why it cannot run, and changes nothing', async () => {
    const running = await sandbox.current.launch(['/bin/cat']);
    const client = await RecorderClient.connect(running.hostSocket);
    const refused = await scrub(running.id, SECRETS[0]!);
    assert.match(refused.stderr, /The session is running; stop it first\./);
    assert.equal(refused.exitCode, 1);
    await client.stop();
    client.dispose();
    await sandbox.current.settled();
    const short = await scrub(running.id, 'abc');
    assert.match(short.stderr, /at least 4 characters/);
    const nothing = await scrub(running.id, '');
    assert.match(nothing.stderr, /No text was given/);
    assert.equal((await scrub('nobody', 'some text')).exitCode, 1);
  });
});
