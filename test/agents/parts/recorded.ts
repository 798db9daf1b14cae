import assert from 'node:assert/strict';
import path from 'node:path';
import type { AgentEvent } from '../../../src/agents/common/events/events.ts';
import { openSnapshotProvider } from '../../../src/snapshots/node/open/openProviders.ts';
import type { SnapshotLine } from '../../../src/snapshots/common/snapshotLine.ts';
import { THREE_TOOLS, conversationOf } from '../../unit/agents/common/conversation.ts';
import type { AgentLab, RecordedAgent } from '../agentLab.ts';
import { saveRecorded } from '../saveFixture.ts';
import { afterTools, type Original } from '../useOriginal.ts';

/** The events of the scenario `branching`. */
const CONVERSATION = [
  ...THREE_TOOLS.slice(0, 7),
  'message Now I change it.',
  ...THREE_TOOLS.slice(7),
];

export function recordedAgent(
  lab: { readonly current: AgentLab },
  original: { readonly current: Original },
): void {
  it('is recorded once and in order, with a snapshot after each tool call', async () => {
    saveRecorded(original.current, lab.current.setup.agent, 'branching');
    await isComplete(original.current, lab.current);
  });

  it('is recorded with two parallel calls and a snapshot of each', async () => {
    const { setup, provider, cwd } = lab.current;
    const before = provider.scripted.length;
    const recorded = await lab.current.record(setup.headless('@@parallel please', provider.url));
    saveRecorded(recorded, setup.agent, 'parallel');
    assert.equal(provider.scripted.length - before, 2, recorded.screen);
    for (const kind of ['tool.call', 'tool.result']) {
      const ofKind = recorded.events.filter((event) => event.kind === kind);
      assert.equal(ofKind.length, 2, kind);
    }
    const last = recorded.snapshots.findLast(({ trigger }) => trigger === 'tool')!;
    const made = await filesOf(cwd, last, ['slow.txt', 'quick.txt']);
    assert.deepEqual(made, { 'slow.txt': 'slow\n', 'quick.txt': 'quick\n' });
  });
}

/** Asserts that all events of the session with three tool calls are there, each once. */
async function isComplete(recorded: RecordedAgent, { cwd, setup }: AgentLab): Promise<void> {
  const { events, screen } = recorded;
  assert.deepEqual(conversationOf(events), CONVERSATION, screen);
  const bytes = events.map(({ byte }) => byte!);
  assert.ok(bytes.every((byte) => Number.isSafeInteger(byte)));
  assert.deepEqual(
    bytes,
    bytes.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
  const counts = ['session.started', 'turn.completed', 'tokens.used', 'unknown'].map(
    (kind) => events.filter((event) => event.kind === kind).length,
  );
  assert.deepEqual(
    counts,
    [1, setup.tellsTurnEnds ? 1 : 0, 4, 0],
    events.map(({ kind }) => kind).join(' '),
  );
  assert.equal(events.at(-1)?.kind, 'session.exited');
  toolsAreTold(events, cwd);

  const after = afterTools(recorded);
  assert.equal(after.length, 3, recorded.snapshots.map(({ label }) => label).join('\n'));
  assert.match(after[0]!.label, /echo one >> notes\.txt; cat notes\.txt/);
  assert.match(after[1]!.label, /hello\.txt/);
  assert.match(after[2]!.label, /hello\.txt/);
  const files = await Promise.all(
    after.map((line) => filesOf(cwd, line, ['notes.txt', 'hello.txt'])),
  );
  assert.deepEqual(files, [
    { 'notes.txt': 'one\n' },
    { 'notes.txt': 'one\n', 'hello.txt': 'hello\nworld\n' },
    { 'notes.txt': 'one\n', 'hello.txt': 'hello\nmoon\n' },
  ]);
}

function toolsAreTold(events: readonly AgentEvent[], cwd: string): void {
  const calls = events.filter((event) => event.kind === 'tool.call');
  assert.equal(calls[0]?.title, 'echo one >> notes.txt; cat notes.txt');
  const results = events.filter((event) => event.kind === 'tool.result');
  assert.match(results[0]!.summary, /one/);
  for (const result of results.slice(1)) {
    assert.deepEqual(result.files, [path.join(cwd, 'hello.txt')]);
  }
  assert.deepEqual(
    results.map(({ callId }) => callId),
    calls.map(({ callId }) => callId),
  );
}

/** The contents of the wanted files that a snapshot has. */
async function filesOf(
  workspace: string,
  { files }: SnapshotLine,
  wanted: readonly string[],
): Promise<Record<string, string>> {
  assert.ok(files.state === 'kept', JSON.stringify(files));
  const provider = await openSnapshotProvider(workspace);
  try {
    const tree = await provider.open(files.ref);
    const names = (await tree.list('')).map(({ name }) => name);
    const made = wanted.filter((name) => names.includes(name));
    const read = async (name: string): Promise<[string, string]> => [
      name,
      Buffer.from(await tree.read(name)).toString(),
    ];
    return Object.fromEntries(await Promise.all(made.map(read)));
  } finally {
    provider.dispose();
  }
}
