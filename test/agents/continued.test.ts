import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inOrder } from '../../src/agents/events.ts';
import { continueAgent, planContinuation } from '../../src/node/agents/continueAgent.ts';
import type { ContinueRequest } from '../../src/node/agents/continueAgent.ts';
import { openSnapshotProvider } from '../../src/node/snapshotProviders.ts';
import type { SnapshotLine } from '../../src/snapshots/snapshotLine.ts';
import { until } from '../support/ah.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { AGENT_SETUPS } from './agentSetup.ts';
import { ESCAPES } from './agentRun.ts';
import { AgentLab, type RecordedAgent } from './recordedAgent.ts';
import { historyOf } from './history.ts';
import { agentFiles, sameFiles, sessionRows, treeOf } from './originals.ts';

const MESSAGE = '@@go-on, please';
const HELLO = '@@hello there';

describe('agents that go on from a moment', function () {
  this.timeout(600_000);
  let lab: AgentLab | undefined;
  let screens = '';
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.log(screens.slice(-4000));
    await lab?.dispose();
    lab = undefined;
  });
  const sandbox = useSandbox();

  for (const setup of AGENT_SETUPS) {
    it(`${setup.agent}: knows what it knew after its second tool, and works in the copy`, async () => {
      lab = await AgentLab.make(sandbox.current, setup);
      const original = await lab.record(setup.headless('@@three-tools please', lab.provider.url));
      screens = original.screen;
      assert.equal(lab.provider.scripted.length, 4, screens);
      const moment = secondTool(original);

      // The files of the moment, in a folder of their own.
      await cloned(lab, moment);
      assert.equal(readFileSync(path.join(lab.branch, 'hello.txt'), 'utf8'), 'hello\nworld\n');
      assert.equal(readFileSync(path.join(lab.branch, 'notes.txt'), 'utf8'), 'one\n');
      for (const state of [
        ['rev-parse', 'HEAD'],
        ['ls-files', '-s'],
      ]) {
        assert.equal(git(lab.branch, ...state), lab.git(...state));
      }
      const status = git(lab.branch, 'status', '--porcelain');
      assert.equal(status, 'A  staged.txt\n?? hello.txt\n?? notes.txt\n');

      const request = requestFor(lab, original, moment);
      const plan = await planContinuation({
        ...request,
        workspace: { ...request.workspace, to: `${lab.branch}-planned` },
      });
      assert.equal(plan.method, 'resume');
      assert.deepEqual(plan.warnings, []);
      assert.equal(plan.details.toolCalls, 2);
      assert.equal(plan.details.prompts, 1);

      const before = {
        files: agentFiles(lab.home),
        rows: sessionRows(lab.home),
        tree: treeOf(lab.cwd),
      };
      const undone = await continueAgent(request);
      assert.ok(undone.details.toSession);
      await undone.undo();
      if (setup.agent !== 'opencode') assert.deepEqual(agentFiles(lab.home), before.files);
      assert.deepEqual(sessionRows(lab.home), before.rows);
      assert.equal(git(lab.branch, 'status', '--porcelain'), status);
      assert.ok(!existsSync(path.join(lab.branch, '.ah')));

      const continuation = await continueAgent(request);
      assert.equal(continuation.method, 'resume');
      sameFiles(agentFiles(lab.home), before.files);
      assert.equal(git(lab.branch, 'status', '--porcelain'), status);
      for (const file of continuation.files) assert.ok(existsSync(file), file);

      const callsBefore = lab.provider.scripted.length;
      const goesOn = await lab.record(continuation.cmd, {
        ...{ cwd: lab.branch, program: continuation.program },
        env: { ...lab.env, ...continuation.env },
      });
      screens += goesOn.screen;
      const calls = lab.provider.scripted.slice(callsBefore);
      assert.equal(calls.length, 3, screens);
      // What the model was told before its third answer is what it was told after the second tool; then the message.
      const known = historyOf(lab.provider.scripted[2]!, [lab.cwd, lab.branch]);
      assert.deepEqual(historyOf(calls[0]!, [lab.cwd, lab.branch]), [...known, `user ${MESSAGE}`]);
      const asked = JSON.stringify(calls[0]!.body);
      assert.ok(
        !asked.includes(`${lab.cwd}/`) && !asked.includes(`${lab.cwd}"`),
        'the old folder is told of',
      );
      assert.ok(asked.includes(lab.branch));

      assert.equal(readFileSync(path.join(lab.branch, 'where.txt'), 'utf8'), `${lab.branch}\n`);
      assert.equal(readFileSync(path.join(lab.branch, 'hello.txt'), 'utf8'), 'hello\nsun\n');
      const prompts = inOrder(goesOn.events).filter(({ kind }) => kind === 'user.prompt');
      const last = prompts.at(-1);
      assert.ok(last?.kind === 'user.prompt' && last.text.includes(MESSAGE), screens);
      const labels = goesOn.snapshots
        .filter(({ trigger }) => trigger === 'tool')
        .map(({ label }) => label);
      assert.ok(
        labels.some((label) => label.includes('pwd > where.txt')),
        labels.join('\n'),
      );
      assert.ok(
        labels.some((label) => label.includes('hello.txt')),
        labels.join('\n'),
      );

      // Nothing of the original has changed, but for what the agent keeps of all its sessions together.
      assert.deepEqual(treeOf(lab.cwd), before.tree);
      assert.deepEqual(sessionRows(lab.home, before.rows), before.rows);
      sameFiles(agentFiles(lab.home, 'sessions'), onlySessions(before.files, lab.home));

      await goesOnBeforeAPerson(lab, request, known);

      // What was kept with the recording is enough when the agent's own files are gone.
      purge(lab.home);
      const again = await continueAgent({ ...request, message: 'Again.' });
      assert.equal(again.method, 'resume');
      assert.deepEqual(
        { ...again.details, toSession: '' },
        { ...continuation.details, toSession: '' },
      );
      await again.undo();
    });
  }
});

/** The same in the full-screen program, which is what people use. */
async function goesOnBeforeAPerson(
  lab: AgentLab,
  headless: ContinueRequest,
  known: readonly string[],
): Promise<void> {
  const { setup, provider } = lab;
  const cmd = [setup.program, ...setup.interactive(provider.url)];
  const request = { ...headless, meta: { ...headless.meta, cmd }, message: HELLO };
  const isTyped = setup.agent === 'opencode';
  const asks = ['claudeCode', 'copilot'].includes(setup.agent);
  const { warnings } = await planContinuation(request);
  assert.equal(
    warnings.filter((warning) => warning.includes('whether you trust')).length,
    asks ? 1 : 0,
  );
  setup.prepare({ home: lab.home, cwd: lab.branch, hooks: () => 'true' });
  const continuation = await continueAgent(request);
  assert.equal(continuation.unsentMessage, isTyped ? HELLO : undefined);
  const before = provider.scripted.length;
  const env = { ...lab.env, ...continuation.env };
  const client = await lab.start(continuation.cmd, { cwd: lab.branch, env });
  try {
    let screen = '';
    client.onOutput((bytes) => {
      screen += Buffer.from(bytes).toString();
      client.acknowledge(bytes.length);
    });
    const attach = { from: 'start', answersQueries: false, lossless: true } as const;
    await client.attach({ ...attach, windowBytes: 1024 * 1024, historyLines: 0 });
    // Words are put in their places one by one.
    const words = (): string => screen.replace(ESCAPES, '').replace(/\s/g, '');
    const shown = isTyped ? 'ThenIwriteafile.' : 'Hellofromthebranch';
    await until(() => words().includes(shown), `"${shown}" on the screen`, 180_000);
  } finally {
    await client.stop().catch(() => {});
    client.dispose();
    await lab.settled();
  }
  if (isTyped) return;
  const told = historyOf(provider.scripted[before]!, [lab.cwd, lab.branch]);
  assert.deepEqual(told, [...known, `user ${HELLO}`]);
}

function secondTool({ snapshots }: RecordedAgent): SnapshotLine {
  const tools = snapshots.filter(
    ({ trigger, label }) => trigger === 'tool' && !label.startsWith('Prompt:'),
  );
  assert.equal(tools.length, 3, snapshots.map(({ label }) => label).join('\n'));
  return tools[1]!;
}

async function cloned(lab: AgentLab, { files }: SnapshotLine): Promise<void> {
  assert.ok(files.state === 'kept', JSON.stringify(files));
  const provider = await openSnapshotProvider(lab.cwd);
  try {
    const signal = new AbortController().signal;
    await provider.clone({ ref: files.ref, destination: lab.branch, name: 'branch-1', signal });
  } finally {
    provider.dispose();
  }
}

function requestFor(lab: AgentLab, original: RecordedAgent, moment: SnapshotLine): ContinueRequest {
  return {
    agent: lab.setup.agent,
    sessionFolder: original.session.folder,
    meta: { cmd: original.cmd, cwd: lab.cwd },
    moment: { byte: moment.anchorByte, timeNs: moment.tsNs },
    workspace: { from: lab.cwd, to: lab.branch },
    ...{ message: MESSAGE, env: lab.env, home: lab.home },
    signal: new AbortController().signal,
  };
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}

function onlySessions(
  files: Readonly<Record<string, string>>,
  home: string,
): Record<string, string> {
  const sessions = agentFiles(home, 'sessions');
  return Object.fromEntries(Object.entries(files).filter(([name]) => name in sessions));
}

function purge(home: string): void {
  const folders = ['.claude/projects', '.codex/sessions', '.gemini/tmp', '.copilot/session-state'];
  for (const folder of [...folders, '.local/share/opencode']) {
    rmSync(path.join(home, folder), { recursive: true, force: true });
  }
}
