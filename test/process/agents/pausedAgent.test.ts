import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventLine } from '../../../src/agents/common/events/eventLine.ts';
import type { AgentStatus } from '../../../src/agents/common/events/events.ts';
import { NO_FACTS, statusAt, withEvent } from '../../../src/agents/common/status/status.ts';
import { readEvents } from '../../../src/sessions/node/eventsFile.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { until, type LaunchedSession } from '../../support/ah.ts';
import { filesIn, placesOf } from '../../support/recording/secretPlaces.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const SECRET = 'hunter2-the-secret';
const MOCK_AGENT = path.resolve(import.meta.dirname, '../../mockAgent/claude/main.ts');
/** Repeats a secret instruction in a file, in the result of a tool and in its answer. */
const SCENARIO = `
name: paused
steps:
  - text: Ready.
answers:
  - match: secret
    steps:
      - prompt: "\${prompt}"
      - write: { path: note.txt, content: "\${prompt}\\n" }
      - tool: { name: Read, title: "\${prompt}", input: { file_path: note.txt }, result: ${SECRET} }
      - message: I noted "${SECRET}". Noted all.
  - match: halves
    steps:
      - prompt: "\${prompt}"
      - approval: First half done. Go on?
      - tool: { name: Read, title: note.txt, input: { file_path: note.txt }, result: read }
      - approval: Second half done. Finish?
      - message: I said ${SECRET} in the cut turn.
  - steps:
      - prompt: "\${prompt}"
      - write: { path: done.txt, content: "\${prompt}\\n" }
      - message: Done with \${prompt}.
`;

describe('a paused recording of an agent', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  /** The agent's home and the workspace: both keep what the agent learned in the pause. */
  const place = useTemporaryFolder();
  let session: LaunchedSession;
  let client: RecorderClient;
  let shown = '';
  afterEach(() => client.dispose());

  async function start(): Promise<void> {
    const folderOf = (name: string) => {
      mkdirSync(path.join(place.path, name), { recursive: true });
      return path.join(place.path, name);
    };
    const scenario = path.join(folderOf('bin'), 'scenario.yaml');
    writeFileSync(scenario, SCENARIO);
    const program = path.join(folderOf('bin'), 'claude');
    const script = `#!/bin/sh\nexport MOCK_AGENT_SPEED=0\nexec '${process.execPath}' '${MOCK_AGENT}' '${scenario}' "$@"\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const workspace = folderOf('project');
    const env = { ...sandbox.current.launchEnv, HOME: folderOf('home') };
    session = await sandbox.current.launch([program], {
      agent: 'claudeCode',
      cwd: workspace,
      workspace,
      capturesInput: true,
      env,
    });
    client = await RecorderClient.connect(session.hostSocket);
    shown = '';
    client.onOutput((bytes) => {
      shown += Buffer.from(bytes).toString();
      client.acknowledge(bytes.length);
    });
    const attach = { from: 'start', answersQueries: false, lossless: true } as const;
    await client.attach({ ...attach, windowBytes: 1024 * 1024, historyLines: 0 });
    await until(() => shown.includes('or /exit'), 'the agent');
    await say('first', 'Done with first.');
    // The agent prints an answer before it writes it to its record.
    await until(
      async () => (await textsOf('assistant.message')).includes('Done with first.'),
      'the first turn',
    );
  }
  const say = (instruction: string, answer: string) => press(`${instruction}\r`, answer);
  async function press(keys: string, answer: string): Promise<void> {
    client.input(Buffer.from(keys));
    await until(() => shown.includes(answer), answer);
  }
  async function textsOf(kind: 'user.prompt' | 'assistant.message'): Promise<string[]> {
    const events = await readEvents(session.folder);
    return events.flatMap((event) => (event.kind === kind ? [event.text] : []));
  }
  /** Lets the agent learn a secret, which it writes into its own record. */
  async function pauseWithSecret(): Promise<void> {
    await client.setPaused(true);
    await say(`the secret ${SECRET}`, 'Noted all.');
  }
  const transcript = () =>
    filesIn(path.join(place.path, 'home')).find((file) => file.endsWith('.jsonl'))!;
  const places = () => placesOf([sandbox.current.folder], SECRET);

  it('stores nothing of what the agent does in the pause, even if it resumes at once', async () => {
    await start();
    await pauseWithSecret();
    rmSync(path.join(place.path, 'project/note.txt'));
    await client.setPaused(false);
    await say('last', 'Done with last.');
    client.input(Buffer.from('/exit\r'));
    await sandbox.current.settled();
    assert.ok(readFileSync(transcript(), 'utf8').includes(SECRET), 'the agent itself knows it');
    assert.deepEqual(await places(), []);
    assert.deepEqual(await textsOf('user.prompt'), ['first', 'last']);
    assert.deepEqual(await textsOf('assistant.message'), ['Done with first.', 'Done with last.']);
    assert.match(await conversation(), /> first\n[^]*\n\*Not recorded, \d+ s · .*\*\n[^]*> last\n/);
  });

  it('stores nothing that the agent writes about the pause after it', async () => {
    await start();
    await client.setPaused(true);
    const timestamp = new Date().toISOString();
    await client.setPaused(false);
    // Agents buffer their records.
    for (const content of [SECRET, [{ type: 'tool_result', tool_use_id: 'late', content: SECRET }]])
      appendRecord({ type: 'user', timestamp, message: { role: 'user', content } });
    await say('last', 'Done with last.');
    client.input(Buffer.from('/exit\r'));
    await sandbox.current.settled();
    assert.deepEqual(await places(), []);
    assert.deepEqual(await textsOf('user.prompt'), ['first', 'last']);
  });

  it('stores nothing of the pause when its recorder is killed', async () => {
    await start();
    await pauseWithSecret();
    await sandbox.current.killRecorders();
    assert.deepEqual(await places(), []);
    assert.deepEqual(await textsOf('user.prompt'), ['first']);
    assert.match(await conversation(), /> first\n[^]*\n\*Not recorded from here on · .*\*\n$/);
  });

  it('goes on with the status of a turn that the pause cut, and says what it lacks', async () => {
    await start();
    await say('both halves', 'First half done. Go on?');
    await until(async () => (await status()) === 'running', 'the turn');
    await client.setPaused(true);
    assert.equal(await status(), 'unknown');
    await client.setPaused(false);
    assert.equal(await status(), 'unknown', 'nothing shows yet that the agent works');
    await press('y', 'Second half done. Finish?');
    await until(async () => (await status()) === 'running', 'the turn after the pause');
    await press('y', 'in the cut turn.');
    await until(async () => (await status()) === 'waiting', 'the end of the turn');
    await say('last', 'Done with last.');
    client.input(Buffer.from('/exit\r'));
    await sandbox.current.settled();
    const events = (await readEvents(session.folder)).map(eventLine).join('');
    assert.ok(!events.includes(SECRET), 'the messages of the cut turn are not stored');
    const note = 'The agent’s messages in the rest of this turn were not recorded';
    const order = new RegExp(`Not recorded, [^]*${note}[^]*\\*\\*Read\\*\\*[^]*> last\n`);
    assert.match(await conversation(), order);
    assert.equal((await conversation()).split(note).length, 2, 'once');
  });

  async function status(): Promise<AgentStatus> {
    const facts = (await readEvents(session.folder)).reduce(withEvent, NO_FACTS);
    return statusAt(facts, facts.lastEventNs ?? 0n).status;
  }

  async function conversation(): Promise<string> {
    const which = ['--session', session.id];
    return (await sandbox.current.run('agent', 'transcript', ...which)).stdout.toString();
  }

  function appendRecord(record: object): void {
    const [first = ''] = readFileSync(transcript(), 'utf8').split('\n');
    const { sessionId, cwd } = JSON.parse(first) as Record<string, unknown>;
    const uuid = crypto.randomUUID();
    appendFileSync(transcript(), `${JSON.stringify({ ...record, sessionId, cwd, uuid })}\n`);
  }
});
