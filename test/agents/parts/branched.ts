import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inOrder } from '../../../src/agents/common/events/events.ts';
import { readEvents } from '../../../src/sessions/node/eventsFile.ts';
import { readSnapshots } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import type { LoggedCall } from '../../mockProvider/mockProvider.ts';
import type { AgentLab } from '../agentLab.ts';
import { historyOf } from '../history.ts';
import { agentFiles, sameFiles, sessionRows, treeOf } from '../originals.ts';
import { afterTools, type Original } from '../useOriginal.ts';

const MESSAGE = '@@go-on, please';

/** Records, branches and removes the branch with the command line. */
export function branchedAgent(
  lab: { readonly current: AgentLab },
  original: { readonly current: Original },
): void {
  it('resumes after its second tool call with a message, in a branch', async () => {
    const { cwd, branch, provider, home } = lab.current;
    const { session, known } = original.current;
    const before = { tree: treeOf(cwd), sessions: agentFiles(home, 'sessions') };
    const rows = sessionRows(home);
    const callsBefore = provider.scripted.length;
    const moment = afterTools(original.current)[1]!;
    const { exitCode, stdout, stderr } = await lab.current.ah(
      ...['branch', '--session', session.id, '--snapshot', String(moment.id)],
      ...['--message', MESSAGE, '--name', 'other way', '--dest', branch],
    );
    const said = `${stdout.toString()}\n${stderr}`;
    assert.equal(exitCode, 0, said);
    assert.match(stderr, /continues with a copy of its memory/);
    await lab.current.settled();

    // The conversation up to the moment, and the message.
    const calls = provider.scripted.slice(callsBefore);
    assert.equal(calls.length, 3, said);
    const expected = [...historyOf(known, [cwd, branch]), `user ${MESSAGE}`];
    assert.deepEqual(historyOf(calls[0]!, [cwd, branch]), expected);
    knowsOnlyTheBranch(calls[0]!, lab.current);

    // The branch's tools ran in its folder, with the files of that moment.
    assert.equal(readFileSync(path.join(branch, 'where.txt'), 'utf8'), `${branch}\n`);
    assert.equal(readFileSync(path.join(branch, 'hello.txt'), 'utf8'), 'hello\nsun\n');
    assert.equal(readFileSync(path.join(branch, 'notes.txt'), 'utf8'), 'one\n');
    for (const state of [
      ['rev-parse', 'HEAD'],
      ['ls-files', '-s'],
    ]) {
      assert.equal(git(branch, ...state), git(cwd, ...state));
    }

    // The original is unchanged, except for the agent's data that all its sessions share.
    assert.deepEqual(treeOf(cwd), before.tree);
    sameFiles(agentFiles(home, 'sessions'), before.sessions);
    assert.deepEqual(sessionRows(home, rows), rows);

    await isRelated(lab.current, session.id);
    // Removing the branch lists and removes the agent's record of it.
    const losses = await lab.current.ah('branch', 'rm', 'other way', '--dry-run');
    const named = /^The agent's record of this session: (.*)$/gm;
    const own = [...losses.stdout.toString().matchAll(named)].map(([, what]) => what!);
    const made = own.filter((file) => file.endsWith('.jsonl'));
    assert.ok(made.every((file) => existsSync(file)) && own.length > 0, own.join('\n'));
    const removed = await lab.current.ah('branch', 'rm', 'other way', '--yes');
    assert.equal(removed.exitCode, 0, removed.stderr);
    assert.ok(!existsSync(branch));
    for (const file of made) assert.ok(!existsSync(file), file);
    assert.deepEqual(sessionRows(home), rows);
    sameFiles(agentFiles(home, 'sessions'), before.sessions);
    assert.deepEqual(treeOf(cwd), before.tree);
  });
}

export function knowsOnlyTheBranch({ body }: LoggedCall, { cwd, branch }: AgentLab): void {
  const asked = JSON.stringify(body);
  assert.ok(
    !asked.includes(`${cwd}/`) && !asked.includes(`${cwd}"`),
    'the old folder is not in the conversation',
  );
  assert.ok(asked.includes(branch));
}

/** Both sessions refer to each other, and the new one is recorded. */
async function isRelated({ catalogue }: AgentLab, parent: string): Promise<void> {
  const sessions = await catalogue.list();
  const child = sessions.find(({ meta }) => meta.branchOf !== undefined)!;
  assert.equal(child.meta.branchOf?.method, 'resume');
  assert.equal(child.meta.branchOf?.fromSessionId, parent);
  const from = sessions.find(({ meta }) => meta.id === parent);
  assert.ok(from, 'the parent still exists');
  for (const { folder } of [from, child]) {
    const kinds = (await readEvents(folder)).map(({ kind }) => kind);
    assert.ok(kinds.includes('timeline.sessionBranch.created'), folder);
  }
  const events = await readEvents(child.folder);
  const prompt = inOrder(events).findLast((event) => event.kind === 'user.prompt');
  assert.ok(prompt?.text.includes(MESSAGE));
  const labels = afterTools({ snapshots: await readSnapshots(child.folder) }).map(
    ({ label }) => label,
  );
  assert.ok(labels.length === 2 && labels[0]!.includes('pwd > where.txt'), labels.join('\n'));
  assert.match(labels[1]!, /hello\.txt/);
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
