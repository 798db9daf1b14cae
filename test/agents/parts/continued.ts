import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { AgentEvent } from '../../../src/agents/common/events/events.ts';
import {
  continueAgent,
  planContinuation,
  type ContinueRequest,
} from '../../support/agents/continueAgent.ts';
import { openSnapshotProvider } from '../../../src/snapshots/node/open/openProviders.ts';
import type { SnapshotLine } from '../../../src/snapshots/common/snapshotLine.ts';
import type { AgentLab } from '../agentLab.ts';
import { historyOf } from '../history.ts';
import { agentFiles, sameFiles, sessionRows, treeOf } from '../originals.ts';
import { ShownAgent } from '../shownAgent.ts';
import { afterTools, type Original } from '../useOriginal.ts';
import { knowsOnlyTheBranch } from './branched.ts';

const HELLO = '@@hello there';
const CHANGED = 'A  staged.txt\n?? hello.txt\n?? notes.txt\n';

/** Resumes the full-screen program with the files and the memory of the moment. */
export function continuedAgent(
  lab: { readonly current: AgentLab },
  original: { readonly current: Original },
): void {
  it('undoes a resumed session completely, and then resumes in full screen', async () => {
    const { home, cwd, branch } = lab.current;
    const moment = afterTools(original.current)[1]!;
    await cloned(lab.current, moment);
    assert.equal(statusOf(branch), CHANGED);
    const request = requestFor(lab.current, original.current, moment);
    const before = {
      files: agentFiles(home),
      sessions: agentFiles(home, 'sessions'),
      rows: sessionRows(home),
      tree: treeOf(cwd),
    };
    const undone = await continueAgent(request);
    assert.equal(undone.method, 'resume');
    assert.deepEqual([undone.details.prompts, undone.details.toolCalls], [1, 2]);
    sameFiles(agentFiles(home), before.files);
    for (const file of undone.files) assert.ok(existsSync(file), file);
    await undone.undo();
    assert.deepEqual(agentFiles(home), before.files);
    assert.deepEqual(sessionRows(home), before.rows);
    assert.equal(statusOf(branch), CHANGED);
    assert.ok(!existsSync(path.join(branch, '.ah')));

    await goesOnBeforeAPerson(lab.current, request, original.current);
    assert.equal(statusOf(branch), CHANGED);
    assert.deepEqual(treeOf(cwd), before.tree);
    assert.deepEqual(sessionRows(home, before.rows), before.rows);
    sameFiles(agentFiles(home, 'sessions'), before.sessions);
  });
}

/** Moves the agent's files away. */
export function purgedAgent(
  lab: { readonly current: AgentLab },
  original: { readonly current: Original },
): void {
  it('resumes from the copied transcript when its own files are gone', async () => {
    const moment = afterTools(original.current)[1]!;
    const request = requestFor(lab.current, original.current, moment);
    const { details } = await planContinuation(request);
    purge(lab.current.home);
    const again = await continueAgent(request);
    assert.equal(again.method, 'resume');
    assert.deepEqual({ ...again.details, toSession: '' }, { ...details, toSession: '' });
    await again.undo();
  });
}

async function goesOnBeforeAPerson(
  lab: AgentLab,
  request: ContinueRequest,
  { known }: Original,
): Promise<void> {
  const { provider, cwd, branch } = lab;
  // Agents trust a git worktree like its repository, or get an option for this launch.
  const { warnings } = await planContinuation(request);
  const isMode = (warning: string): boolean => warning.startsWith("Gemini CLI doesn't record");
  assert.deepEqual(
    warnings.filter((warning) => !isMode(warning)),
    [],
  );
  const continuation = await continueAgent(request);
  assert.equal(continuation.unsentMessage, undefined);
  const before = provider.scripted.length;
  const env = { ...lab.env, ...continuation.env };
  const agent = await ShownAgent.start(lab, continuation.cmd, { cwd: branch, env });
  try {
    const isAnswer = (event: AgentEvent): boolean =>
      event.kind === 'assistant.message' && event.text === 'Hello from the branch.';
    await agent.untilEvent(isAnswer, 'the answer', 180_000);
  } finally {
    await agent.dispose();
  }
  const call = provider.scripted[before]!;
  const expected = [...historyOf(known, [cwd, branch]), `user ${HELLO}`];
  assert.deepEqual(historyOf(call, [cwd, branch]), expected);
  knowsOnlyTheBranch(call, lab);
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

function requestFor(lab: AgentLab, original: Original, moment: SnapshotLine): ContinueRequest {
  const { setup, provider, cwd, branch, env, home } = lab;
  return {
    agent: setup.agent,
    sessionFolder: original.session.folder,
    meta: { cmd: [setup.program, ...setup.interactive(provider.url)], cwd },
    moment: { byte: moment.anchorByte, timeNs: moment.tsNs },
    workspace: { from: cwd, to: branch, isWorktree: true },
    message: HELLO,
    env,
    home,
    signal: new AbortController().signal,
  };
}

function statusOf(folder: string): string {
  return execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' });
}

function purge(home: string): void {
  const folders = ['.claude/projects', '.codex/sessions', '.gemini/tmp', '.copilot/session-state'];
  for (const folder of [...folders, '.local/share/opencode']) {
    rmSync(path.join(home, folder), { recursive: true, force: true });
  }
}
