import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { cliFile, outputOf, readRecording, until, type LaunchedSession } from '../../support/ah.ts';
import { outputOfClient } from '../../support/recording/outputOfClient.ts';
import { filesIn, placesOf } from '../../support/recording/secretPlaces.ts';
import { untilFile } from '../../support/processes/shellScripts.ts';
import { untilEcho } from '../../support/terminal/terminalEcho.ts';
import { useSandbox } from '../../support/useSandbox.ts';

/** Fake secrets. The last three are recognized by their name, position and hidden input. */
const PLANTED = {
  key: 'sk-ant-api03-planted0123456789abcdef',
  github: 'ghp_plantedplantedplanted0123456789',
  amazon: 'AKIAPLANTED012345678',
  web: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.plantedSignature0123',
  bearer: 'planted.bearer.value.0123456789',
  password: 'planted-hunter2-pässword',
  environment: 'planted:value/of_a+variable=',
  hidden: 'planted-correct-horse',
};
const LABELLED = 'glpat-plantedplanted012345';

/** A fake agent that reports all secrets in every way, and prints them in several forms. */
const AGENT = `#!/bin/bash
relay="\${2%/*}/hooks/relay.sh"
tell() { printf '%s' "$2" | /bin/sh "$relay" "$1"; }
key='${PLANTED.key}'; github='${PLANTED.github}'
all="$key $github ${PLANTED.amazon} ${PLANTED.web} Bearer ${PLANTED.bearer} password=${PLANTED.password} $MY_API_KEY"
id=11111111-2222-4333-8444-555555555555
folder="$HOME/.claude/projects/$(pwd -P | sed 's/[^A-Za-z0-9]/-/g')"
mkdir -p "$folder"
transcript="$folder/$id.jsonl"
printf '{"type":"user","uuid":"u1","timestamp":"2026-01-01T00:00:00Z","cwd":"%s","sessionId":"%s","message":{"role":"user","content":"use %s"},"login":{"password":"${PLANTED.password}"}}\\n' "$(pwd -P)" "$id" "$all" > "$transcript"
tell SessionStart "{\\"session_id\\":\\"$id\\",\\"transcript_path\\":\\"$transcript\\"}"
tell UserPromptSubmit "{\\"session_id\\":\\"$id\\",\\"prompt\\":\\"use $all\\"}"
call="\\"session_id\\":\\"$id\\",\\"tool_use_id\\":\\"c1\\",\\"tool_name\\":\\"Bash\\",\\"tool_input\\":{\\"command\\":\\"login $all\\",\\"password\\":\\"${PLANTED.password}\\"}"
tell PreToolUse "{$call}"
tell PostToolUse "{$call,\\"tool_response\\":\\"$all\\"}"
echo "printed: $all; and on"
printf 'coloured: '; for (( i=0; i<\${#key}; i++ )); do printf '\\033[3%dm%s\\033[0m' $((i % 8)) "\${key:$i:1}"; done; echo
printf '\\033]0;title %s\\007' "$github"
printf 'in halves: %s' "\${key:0:12}"; sleep 0.2; printf '%s\\n' "\${key:12}"
printf 'slowly: '; for (( i=0; i<\${#github}; i++ )); do printf '%s' "\${github:$i:1}"; sleep 0.02; done; echo
printf 'wrapped: %s\\r\\n%s\\n' "\${MY_API_KEY:0:9}" "\${MY_API_KEY:9}"
echo harmless words stay: task-force, password: string, sk- and hf_
"$NODE" "$CLI" agent fs snapshot --label "with ${LABELLED}" >/dev/null 2>&1
tell Stop "{\\"session_id\\":\\"$id\\",\\"last_assistant_message\\":\\"Used $all.\\"}"
echo "Say it:"; read -r -s hidden; echo "heard \${#hidden}"
printf 'token: '; read -r shown; echo "got it"
# Whether keys are kept is decided 150 ms after the last one.
sleep 0.3
`;

describe('capture with redaction on', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();

  async function recorded(redacts: boolean): Promise<LaunchedSession> {
    const { folder } = sandbox.current;
    process.env['AH_DATA_DIR'] = folder;
    const program = path.join(folder, 'bin/claude');
    const workspace = path.join(folder, 'work');
    for (const each of [path.dirname(program), workspace]) mkdirSync(each, { recursive: true });
    writeFileSync(program, AGENT, { mode: 0o755 });
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: folder };
    const session = await sandbox.current.launch(
      [program, '--token', PLANTED.password, `--api-key=${PLANTED.key}`],
      {
        agent: 'claudeCode',
        cwd: workspace,
        workspace,
        redacts,
        capturesInput: true,
        env: {
          ...env,
          NODE: process.execPath,
          CLI: cliFile,
          AH_DATA_DIR: folder,
          MY_API_KEY: PLANTED.environment,
        },
      },
    );
    const client = await RecorderClient.connect(session.hostSocket);
    const shown = await outputOfClient(client);
    const shows = (text: string) => until(() => shown().includes(text), `"${text}"`, 30_000);
    await shows('Say it:');
    await untilEcho(client, 'off');
    client.input(Buffer.from(`${PLANTED.hidden}\n`));
    await shows('token:');
    await untilEcho(client, 'on');
    for (const key of `${PLANTED.github}\n`) client.input(Buffer.from(key));
    await shows('got it');
    assert.ok(shown().includes(`printed: ${PLANTED.key} `), 'the terminal shows what is printed');
    await sandbox.current.settled(60_000);
    client.dispose();
    return session;
  }

  it('stores no planted secret in any file of the session, and keeps everything else', async () => {
    const session = await recorded(true);
    const found: string[] = [];
    for (const [name, secret] of Object.entries({ ...PLANTED, label: LABELLED })) {
      const places = await placesOf([session.folder], secret);
      found.push(...places.map((place) => `${name} in ${path.relative(session.folder, place)}`));
    }
    assert.deepEqual(found, []);
    const { records } = await readRecording(session.recording);
    const text = outputOf(records).toString();
    const stars = (length: number) => '\\*'.repeat(length);
    assert.match(text, new RegExp(`printed: ${stars(PLANTED.key.length)} .*; and on\r\n`));
    assert.match(text, /harmless words stay: task-force, password: string, sk- and hf_\r\n/);
    assert.match(text, /heard \d+\r\n/);
    const names = filesIn(session.folder).map((file) => path.relative(session.folder, file));
    for (const name of ['session.events.jsonl', 'agent/transcripts/1.jsonl']) {
      assert.ok(names.includes(name), `${name} is among ${names.join(', ')}`);
      const kept = readFileSync(path.join(session.folder, name), 'utf8');
      assert.match(kept, /\[redacted\]/);
      for (const line of kept.trim().split('\n')) JSON.parse(line);
    }
  });

  it('stores no line of a long private key, and no secret that is printed in pieces', async () => {
    const lines = Array.from({ length: 150 }, (_, at) =>
      createHash('sha384').update(`planted ${at}`).digest('base64'),
    );
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'];
    const file = path.join(sandbox.current.folder, 'key.pem');
    writeFileSync(file, `${key.join('\n')}\n`);
    const quoted = 'planted horse battery staple';
    const token = PLANTED.key.repeat(4).replaceAll('sk-', '');
    const clipboard = Buffer.from(`copied ${PLANTED.password}`).toString('base64');
    const script = `slowly() { for (( i=0; i<\${#1}; i+=$2 )); do printf '%s' "\${1:$i:$2}"; sleep 0.02; done; }
slowly "$(cat '${file}')" 97; echo
slowly 'login --password "${quoted}" --now' 1; echo
printf '│ %s │\\r\\n' 'sk-ant-${token.slice(0, 40)}' '${token.slice(40, 87)}' '${token.slice(87)}'
printf '\\033]52;c;%s\\007' '${clipboard}'
echo harmless words stay
`;
    const cmd = ['/bin/bash', '-c', script];
    const session = await sandbox.current.launch(cmd, { redacts: true });
    await sandbox.current.settled(60_000);
    const { records } = await readRecording(session.recording);
    assert.ok(records.filter(({ kind }) => kind === 'data').length > 50, 'it came in pieces');
    const text = outputOf(records).toString();
    assert.match(text, /\r\n\*{30,}\r\n/);
    assert.match(text, /login --password "?\*+ --now\r\n/);
    assert.match(text, /harmless words stay\r\n$/);
    // The secrets in the command itself are missing here: the session stores its command for a
    // restart.
    const planted = [...lines, token.slice(0, 40), token.slice(40, 87), clipboard];
    for (const secret of planted) assert.ok(!text.includes(secret), secret);
    assert.ok(!text.includes('battery'), text.slice(-600));
    for (const secret of lines) assert.deepEqual(await placesOf([session.folder], secret), []);
  });

  it('stores no secret when the recorder is killed', async () => {
    const say = `printf 'x ${PLANTED.key} y\\n'; sleep 60`;
    const session = await sandbox.current.launch(['/bin/sh', '-c', say], { redacts: true });
    const isWritten = async () => {
      const { records } = await readRecording(session.recording).catch(() => ({ records: [] }));
      return outputOf(records).includes(' y');
    };
    await until(isWritten, 'the output in the file');
    await sandbox.current.killRecorders();
    assert.deepEqual(await placesOf([session.folder], PLANTED.key), []);
  });

  it('leaves no hook payload behind when the recorder is killed before it reads it', async () => {
    const { folder } = sandbox.current;
    const program = path.join(folder, 'bin/claude');
    const [go, giveUp] = ['go', 'giveUp'].map((name) => path.join(folder, name));
    mkdirSync(path.dirname(program), { recursive: true });
    const payload = `{\\"session_id\\":\\"s\\",\\"prompt\\":\\"use ${PLANTED.key}\\"}`;
    const hook = `printf '%s' "${payload}" | /bin/sh "\${2%/*}/hooks/relay.sh" UserPromptSubmit 1000`;
    // The process outlives its terminal, as a background process of an agent may.
    const script = `#!/bin/bash\ntrap '' HUP\n${untilFile(go!)}\n${hook}\n`;
    writeFileSync(program, script, { mode: 0o755 });
    // The relay gives up after a long sleep, which the test ends here.
    const sleep = `#!/bin/sh\n[ "$1" = 8 ] || exec /bin/sleep "$@"\nuntil [ -e '${giveUp}' ]; do /bin/sleep 0.02; done\n`;
    writeFileSync(path.join(folder, 'bin/sleep'), sleep, { mode: 0o755 });
    const session = await sandbox.current.launch([program], {
      agent: 'claudeCode',
      redacts: true,
      env: { PATH: `${folder}/bin:${process.env['PATH']}`, TERM: 'xterm-256color', HOME: folder },
    });
    const [recorder] = sandbox.current.recorders();
    process.kill(recorder!, 'SIGSTOP');
    writeFileSync(go!, '');
    const hooks = path.join(session.folder, 'agent/hooks');
    const isSaid = () => readdirSync(hooks).some((name) => name.includes('UserPromptSubmit'));
    await until(isSaid, 'the hook');
    await sandbox.current.killRecorders();
    assert.deepEqual(await placesOf([session.folder], PLANTED.key), []);
    // Without a receiver, the hook gives up and deletes its pipes.
    assert.ok(isSaid());
    writeFileSync(giveUp!, '');
    await until(() => !isSaid(), 'the end of the hook', 20_000);
    assert.deepEqual(await placesOf([session.folder], PLANTED.key), []);
  });

  it('finds all secrets without redaction', async () => {
    const session = await recorded(false);
    for (const [name, secret] of Object.entries({ ...PLANTED, label: LABELLED })) {
      const places = await placesOf([session.folder], secret);
      assert.equal(places.length > 0, name !== 'hidden', name);
    }
  });
});
