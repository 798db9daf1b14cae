import assert from 'node:assert/strict';
import { openSnapshotProvider } from '../../src/node/snapshotProviders.ts';
import type { SnapshotLine } from '../../src/snapshots/snapshotLine.ts';
import { THREE_TOOLS, told } from '../unit/agents/told.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { AgentLab, type RecordedAgent } from './recordedAgent.ts';
import { saveRecorded } from './saveFixture.ts';

/** Of the scenario `branching`, which says a little more. */
const TOLD = [...THREE_TOOLS.slice(0, 7), 'message Now I change it.', ...THREE_TOOLS.slice(7)];

describe('agents that the recorder follows', function () {
  this.timeout(300_000);
  let lab: AgentLab | undefined;
  let recorded: RecordedAgent | undefined;
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(recorded?.events.map(({ kind, source }) => `${kind} (${source})`).join('\n'));
      console.log(recorded?.snapshots.map(({ label }) => label).join('\n'));
      console.log(recorded?.screen.slice(-2000));
    }
    await lab?.dispose();
    lab = undefined;
    recorded = undefined;
  });
  const sandbox = useSandbox();

  for (const setup of AGENT_SETUPS) {
    // The hooks of one of them run only where the user allows unreviewed ones.
    for (const allowsUnreviewedHooks of setup.agent === 'codex' ? [false, true] : [false]) {
      const how = allowsUnreviewedHooks ? ' with unreviewed hooks' : '';
      it(`${setup.agent}${how}: its doings are written down, and the files kept after each tool`, async () => {
        lab = await AgentLab.make(sandbox.current, setup);
        const args = setup.headless('@@three-tools please', lab.provider.url);
        recorded = await lab.record(args, { allowsUnreviewedHooks });
        if (!allowsUnreviewedHooks) saveRecorded(recorded, setup.agent, 'branching');
        const { events, snapshots, screen } = recorded;
        assert.deepEqual(lab.provider.problems, []);
        assert.deepEqual(told(events), TOLD, screen);
        assert.ok(events.every(({ byte }) => Number.isSafeInteger(byte)));
        const bytes = events.map(({ byte }) => byte!);
        assert.deepEqual(
          bytes,
          bytes.toSorted((a, b) => a - b),
        );
        assert.equal(events.at(-1)?.kind, 'session.exited');

        const ofTools = snapshots.filter(({ trigger }) => trigger === 'tool');
        const after = ofTools.filter(({ label }) => !label.startsWith('Prompt:'));
        assert.equal(after.length, 3, ofTools.map(({ label }) => label).join('\n'));
        assert.match(after[0]!.label, /echo one >> notes\.txt; cat notes\.txt/);
        assert.match(after[1]!.label, /hello\.txt/);
        assert.match(after[2]!.label, /hello\.txt/);
        const files = await Promise.all(
          after.map((line) => filesOf(lab!.cwd, line, ['notes.txt', 'hello.txt'])),
        );
        assert.deepEqual(files, [
          { 'notes.txt': 'one\n' },
          { 'notes.txt': 'one\n', 'hello.txt': 'hello\nworld\n' },
          { 'notes.txt': 'one\n', 'hello.txt': 'hello\nmoon\n' },
        ]);
      });
    }

    it(`${setup.agent}: of two calls in one answer both are told, and their files kept`, async () => {
      lab = await AgentLab.make(sandbox.current, setup, 'parallel');
      recorded = await lab.record(setup.headless('@@parallel please', lab.provider.url));
      saveRecorded(recorded, setup.agent, 'parallel');
      const { events, snapshots, screen } = recorded;
      assert.equal(lab.provider.scripted.length, 2, screen);
      for (const kind of ['tool.call', 'tool.result']) {
        assert.equal(events.filter((event) => event.kind === kind).length, 2, kind);
      }
      const last = snapshots.findLast(({ trigger }) => trigger === 'tool')!;
      const made = await filesOf(lab.cwd, last, ['slow.txt', 'quick.txt']);
      assert.deepEqual(made, { 'slow.txt': 'slow\n', 'quick.txt': 'quick\n' });
    });
  }
});

/** What the agent made, as it was. */
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
