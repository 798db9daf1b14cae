import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLiveSession } from '../../../src/agents/node/capture/readLiveSession.ts';
import { readEvents } from '../../../src/sessions/node/eventsFile.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { readSessionNotes } from '../../../src/sessions/node/sessionNotes.ts';
import { outputOf, readRecording, until, type LaunchedSession } from '../../support/ah.ts';
import { useSandbox } from '../../support/useSandbox.ts';

/** A fake agent: each typed line becomes a prompt, an open tool call and a transcript line. */
const AGENT = `#!/bin/bash
relay="\${2%/*}/hooks/relay.sh"
tell() { printf '%s' "$2" | /bin/sh "$relay" "$1"; }
id=11111111-2222-4333-8444-555555555555
folder="$HOME/.claude/projects/$(pwd -P | sed 's/[^A-Za-z0-9]/-/g')"
mkdir -p "$folder"
transcript="$folder/$id.jsonl"
tell SessionStart "{\\"session_id\\":\\"$id\\",\\"transcript_path\\":\\"$transcript\\"}"
echo ready
while read -r line; do
  printf '{"type":"user","uuid":"u-%s","timestamp":"%s","cwd":"%s","sessionId":"%s","message":{"role":"user","content":"%s"}}\\n' "$line" "$(date -u +%FT%T.%3NZ)" "$(pwd -P)" "$id" "$line" >> "$transcript"
  tell UserPromptSubmit "{\\"session_id\\":\\"$id\\",\\"prompt\\":\\"$line\\"}"
  tell PreToolUse "{\\"session_id\\":\\"$id\\",\\"tool_use_id\\":\\"c-$line\\",\\"tool_name\\":\\"Bash\\",\\"tool_input\\":{\\"command\\":\\"make $line\\"}}"
  echo "took $line"
done
`;

describe('capture of a running session', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  let session: LaunchedSession;
  let client: RecorderClient;
  let shown = '';
  afterEach(() => client.dispose());

  async function start(): Promise<void> {
    const program = path.join(sandbox.current.folder, 'bin/claude');
    mkdirSync(path.dirname(program));
    writeFileSync(program, AGENT, { mode: 0o755 });
    session = await sandbox.current.launch([program], { agent: 'claudeCode', capturesInput: true });
    client = await RecorderClient.connect(session.hostSocket);
    shown = '';
    client.onOutput((bytes) => {
      shown += Buffer.from(bytes).toString();
      client.acknowledge(bytes.length);
    });
    const attach = { from: 'start', answersQueries: false, lossless: true } as const;
    await client.attach({ ...attach, windowBytes: 1024 * 1024, historyLines: 0 });
    await until(() => shown.includes('ready'), 'the agent');
  }
  async function say(line: string): Promise<void> {
    client.input(Buffer.from(`${line}\n`));
    await until(() => shown.includes(`took ${line}`), line);
  }
  /** Types a line while capture is on, and waits until all of it is stored. */
  async function sayAndKeep(line: string): Promise<void> {
    await say(line);
    const isKept = async () => {
      const events = await readEvents(session.folder);
      const titles = events.flatMap((event) => (event.kind === 'tool.call' ? [event.title] : []));
      return titles.includes(`make ${line}`) && (await typed()).endsWith(`${line}\n`);
    };
    await until(isKept, `${line} to be kept`);
  }
  async function typed(): Promise<string> {
    const { records } = await readRecording(session.recording);
    const keys = records.flatMap((record) => (record.kind === 'input' ? [record.bytes] : []));
    return Buffer.concat(keys).toString();
  }
  const copyOf = () => path.join(session.folder, 'agent/transcripts/1.jsonl');
  const capture = async (state: string) => {
    const { exitCode, stderr } = await sandbox.current.run('agent', 'capture', session.id, state);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
  };
  const status = async () =>
    (await readLiveSession(session.folder))?.status(BigInt(Date.now()) * 1_000_000n).status;

  it('can be turned off and on; activity in between is only in the recording', async () => {
    await start();
    await sayAndKeep('first');
    const isCopied = () => existsSync(copyOf()) && readFileSync(copyOf()).includes('first');
    await until(isCopied, 'the copy of the transcript');
    assert.equal(await status(), 'running');
    await capture('off');
    assert.equal((await readSessionNotes(session.folder)).isCaptureOff, true);
    assert.equal(await status(), 'unknown', 'the status is unknown without capture');
    await say('private');
    // Keys are stored after 150 ms, transcripts when they change: neither may appear.
    await sleep(300);
    assert.equal(await status(), 'unknown');
    await capture('on');
    await sayAndKeep('third');
    assert.equal(await status(), 'running');
    await client.stop();
    await sandbox.current.settled();

    const events = await readEvents(session.folder);
    const prompts = events.flatMap((event) => (event.kind === 'user.prompt' ? [event.text] : []));
    assert.deepEqual(prompts, ['first', 'third']);
    const tools = events.flatMap((event) => (event.kind === 'tool.call' ? [event.title] : []));
    assert.deepEqual(tools, ['make first', 'make third']);
    assert.equal(events.at(-1)?.kind, 'session.exited');
    // The copy of the transcript ends here for good, since a copy with a gap would be useless.
    const copy = readFileSync(copyOf(), 'utf8');
    assert.equal(copy.trim().split('\n').length, 1);
    assert.match(copy, /first/);
    assert.equal(await typed(), 'first\nthird\n');
    const { records } = await readRecording(session.recording);
    assert.match(outputOf(records).toString(), /took private/);
  });

  it('cannot be turned off for a session that has ended', async () => {
    await start();
    await client.stop();
    await sandbox.current.settled();
    const { exitCode, stderr } = await sandbox.current.run('agent', 'capture', session.id, 'off');
    assert.equal(exitCode, 1);
    assert.match(stderr, /The session is not running\./);
    const wrong = await sandbox.current.run('agent', 'capture', session.id, 'maybe');
    assert.match(wrong.stderr, /on, off/);
  });
});
