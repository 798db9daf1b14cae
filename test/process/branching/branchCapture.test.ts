import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readEvents } from '../../../src/sessions/node/eventsFile.ts';
import type { CataloguedSession } from '../../../src/sessions/node/catalogue.ts';
import type { LaunchSpec } from '../../../src/sessions/node/launchSpec.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { readSessionNotes } from '../../../src/sessions/node/sessionNotes.ts';
import { cliFile, collect, until } from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { placesOf } from '../../support/recording/secretPlaces.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const KEY = 'sk-ant-api03-planted0123456789abcdef';

/**
 * Reveals a secret by hook, transcript and screen, in the session and in the branch; in the session
 * it runs until it is stopped.
 */
const AGENT = `#!/bin/bash
while [ $# -gt 0 ] && [ "$1" != --settings ]; do shift; done
relay="\${2%/*}/hooks/relay.sh"
tell() { printf '%s' "$2" | /bin/sh "$relay" "$1" 1000; }
id=11111111-2222-4333-8444-55555555555\${AH_BRANCH_ID:+6}
[ -n "$AH_BRANCH_ID" ] || id=\${id}5
folder="$HOME/.claude/projects/$(pwd -P | sed 's/[^A-Za-z0-9]/-/g')"
mkdir -p "$folder"
transcript="$folder/$id.jsonl"
echo "$(date +%s%N)" > made.txt
printf '{"type":"user","uuid":"u1","timestamp":"%s","cwd":"%s","sessionId":"%s","message":{"role":"user","content":"use ${KEY}"}}\\n' "$(date -u +%FT%T.%3NZ)" "$(pwd -P)" "$id" >> "$transcript"
tell SessionStart "{\\"session_id\\":\\"$id\\",\\"transcript_path\\":\\"$transcript\\"}"
tell UserPromptSubmit "{\\"session_id\\":\\"$id\\",\\"prompt\\":\\"use ${KEY}\\"}"
echo "used ${KEY}"
[ -z "$AH_BRANCH_ID" ] || exit 0
read -r line
`;

/** A branch continues the same work, so what was private stays private. */
describe('the capture of a branch', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  async function branched(options: Partial<LaunchSpec>, isPaused: boolean) {
    const { folder } = sandbox.current;
    const workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const program = path.join(folder, 'bin/claude');
    mkdirSync(path.dirname(program), { recursive: true });
    writeFileSync(program, AGENT, { mode: 0o755 });
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: folder };
    const session = await sandbox.current.launch([program], {
      agent: 'claudeCode',
      cwd: workspace,
      workspace,
      env,
      ...options,
    });
    const client = await RecorderClient.connect(session.hostSocket);
    const isTold = async () =>
      (await readEvents(session.folder)).some(({ kind }) => kind === 'user.prompt');
    await until(isTold, 'the prompt');
    if (isPaused) {
      const { stderr } = await sandbox.current.run('agent', 'capture', session.id, 'off');
      assert.equal(stderr, '');
    }
    await client.stop();
    client.dispose();
    await sandbox.current.settled(60_000);
    const args = ['branch', '--session', session.id, '--at', 'now', '--message', 'go on'];
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], {
      env: { ...env, AH_DATA_DIR: folder },
      cwd: workspace,
      stdio: 'pipe',
    });
    child.stdin.end();
    const { exitCode, stderr, stdout } = await collect(child);
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout.toString(), new RegExp(`used ${KEY}`), 'its terminal shows everything');
    await sandbox.current.settled(60_000);
    const sessions = await sandbox.current.catalogue.list();
    return sessions.find(({ meta }) => meta.branchOf?.fromSessionId === session.id)!;
  }
  const kindsIn = async ({ folder }: CataloguedSession) =>
    (await readEvents(folder)).map(({ kind }) => kind);

  it('is paused if it was paused in the original session, until it is resumed', async () => {
    const branch = await branched({}, true);
    assert.equal((await readSessionNotes(branch.folder)).isCaptureOff, true);
    const kinds = await kindsIn(branch);
    assert.ok(!kinds.includes('user.prompt'), kinds.join());
    assert.equal(kinds.at(-1), 'session.exited');
    assert.deepEqual(await placesOf([path.join(branch.folder, 'agent')], KEY), []);
  });

  it('redacts secrets if the original session did, even without the option', async () => {
    const branch = await branched({ redacts: true }, false);
    assert.equal(branch.meta.redacts, true);
    assert.deepEqual(await placesOf([branch.folder], KEY), []);
    assert.ok((await kindsIn(branch)).includes('user.prompt'));
  });

  it('is complete otherwise, with input only if the option asks for it', async () => {
    const branch = await branched({ capturesInput: true }, false);
    assert.equal((await readSessionNotes(branch.folder)).isCaptureOff, undefined);
    assert.equal(branch.meta.redacts, undefined);
    assert.ok((await kindsIn(branch)).includes('user.prompt'));
    assert.ok((await placesOf([branch.folder], KEY)).length > 0);
  });
});
