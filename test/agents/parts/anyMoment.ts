import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentEvent } from '../../../src/agents/common/events/events.ts';
import { readRecording } from '../../support/ah.ts';
import type { LoggedCall } from '../../mockProvider/mockProvider.ts';
import type { AgentLab } from '../agentLab.ts';
import { historyOf } from '../history.ts';
import { afterTools, type Original } from '../useOriginal.ts';

const SHORT_NS = 3_000_000n;
/** A message with characters that shells, option parsers and terminals treat specially. */
const AWKWARD = `--help "q" 'r' \`touch pwned\` $(touch pwned) \\ %s 👩‍👩‍👧\n\t-x  ünï 2 007 @@hello`;

/** Branches from moments other than those after a tool. */
export function agentAtAnyMoment(
  lab: { readonly current: AgentLab },
  original: { readonly current: Original },
): void {
  it('starts anew before its first prompt, and gets a message with special characters', async () => {
    const [call] = await branched(lab.current, original.current.session.id, {
      name: 'first',
      at: ['--snapshot', '1'],
      message: AWKWARD,
    });
    const { steps } = call!.conversation;
    assert.deepEqual(
      steps.filter(({ by }) => by !== 'user'),
      [],
    );
    assert.ok(!steps.some((step) => 'text' in step && step.text.includes('@@three-tools')));
    const told = steps.flatMap((step) => (step.by === 'user' ? step.text : []));
    // This agent adds quotes around a message from its command line.
    const isQuoted = lab.current.setup.agent === 'opencode';
    const expected = isQuoted ? `"${AWKWARD.replaceAll('"', '\\"')}"` : AWKWARD;
    assert.ok(
      told.some((text) => text.includes(expected)),
      told.join('\n'),
    );
    assert.ok(!existsSync(path.join(folderOf(lab.current, 'first'), 'pwned')));
  });

  it('knows the prompt but no call in the middle of its first tool call', async () => {
    const { session, events } = original.current;
    const begun = events.find((event) => event.kind === 'tool.call')!;
    const isItsEnd = (event: AgentEvent) =>
      event.kind === 'tool.result' && event.callId === begun.callId;
    const endNs = events.find(isItsEnd)!.timeNs;
    // Agents write whole milliseconds, and a branch includes those of its moment: a shorter call has
    // no middle.
    const hasMiddle = endNs - begun.timeNs > 2n * SHORT_NS;
    const middleNs = hasMiddle ? (begun.timeNs + endNs) / 2n : begun.timeNs - SHORT_NS;
    const { reader } = await readRecording(session.recording);
    const seconds = Number(middleNs - reader.blocks[0]!.startTsNs) / 1e9;
    const [call] = await branched(lab.current, session.id, {
      name: 'middle',
      at: ['--at', seconds.toFixed(9)],
      message: '@@hello there',
    });
    const { steps } = call!.conversation;
    assert.ok(steps.some((step) => step.by === 'user' && step.text.includes('@@three-tools')));
    assert.ok(steps.some((step) => step.by === 'user' && step.text.includes('@@hello there')));
    assert.deepEqual(
      steps.filter((step) => step.by === 'tool' || (step.by === 'model' && step.calls.length > 0)),
      [],
    );
  });

  it('knows everything at the end, also in a branch of that branch', async () => {
    const { cwd } = lab.current;
    const { session, snapshots, known } = original.current;
    const end = snapshots.at(-1)!;
    const [first] = await branched(lab.current, session.id, {
      name: 'end',
      at: ['--snapshot', String(end.id)],
      message: '@@hello at the end',
    });
    const folder = folderOf(lab.current, 'end');
    const whole = historyOf(first!, [folder, folder]);
    assert.deepEqual(
      whole.slice(0, historyOf(known, [cwd, folder]).length),
      historyOf(known, [cwd, folder]),
    );
    assert.match(whole.at(-2)!, /^model All three are done\./);
    assert.equal(whole.at(-1), 'user @@hello at the end');
    const parent = await branchNamed(lab.current, 'end');
    const [second] = await branched(lab.current, parent, {
      name: 'grandchild',
      at: ['--at', 'now'],
      message: '@@hello again',
    });
    const inner = path.join(`${folder}.branches`, 'grandchild');
    const expected = [...whole, 'model Hello from the branch. ', 'user @@hello again'];
    const moved = expected.map((line) => line.replaceAll(folder, inner));
    assert.deepEqual(historyOf(second!, [inner, inner]), moved);
    assert.equal(readFileSync(path.join(inner, 'hello.txt'), 'utf8'), 'hello\nmoon\n');
    assert.ok(afterTools(original.current).length >= 3, 'the original has its three tool calls');
  });
}

interface Wanted {
  readonly name: string;
  readonly at: readonly string[];
  readonly message: string;
}

/** @returns the conversation that the provider got */
async function branched(lab: AgentLab, session: string, wanted: Wanted): Promise<LoggedCall[]> {
  const before = lab.provider.scripted.length;
  const { exitCode, stdout, stderr } = await lab.ah(
    ...['branch', '--session', session, ...wanted.at],
    ...['--name', wanted.name, '--message', wanted.message],
  );
  const said = `${stdout.toString()}\n${stderr}`;
  assert.equal(exitCode, 0, said);
  await lab.settled();
  const calls = lab.provider.scripted.slice(before);
  assert.ok(calls.length > 0, said);
  return calls;
}

function folderOf({ cwd }: AgentLab, name: string): string {
  return path.join(`${cwd}.branches`, name);
}

async function branchNamed(lab: AgentLab, name: string): Promise<string> {
  const { stdout } = await lab.ah('branches', '--json');
  const branches = JSON.parse(stdout.toString()) as { id: string; name: string }[];
  return branches.find((branch) => branch.name === name)!.id;
}
