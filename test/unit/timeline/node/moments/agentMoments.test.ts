import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { agentMoments } from '../../../../../src/timeline/node/moments/agentMoments.ts';
import {
  asked,
  call,
  completed,
  message,
  prompt,
  resolved,
  result,
  tokens,
  turnResumed,
} from '../../../agents/common/someEvents.ts';

const input = { command: 'npm test\nnpm run lint' };

describe('agentMoments', () => {
  it('shows an approval with its exact command, open until it is answered', () => {
    const question = [
      call('c', 'Bash', input, { atMs: 1 }),
      asked('c', 'Bash', input, { atMs: 2 }),
    ];
    const [open] = agentMoments(question).filter(({ kind }) => kind === 'approval');
    assert.equal(open?.exact, input.command);
    assert.equal(open.isOpen, true);
    const answered = [...question, resolved('c', 'denied', { atMs: 3 })];
    const [closed] = agentMoments(answered).filter(({ kind }) => kind === 'approval');
    assert.equal(closed?.isOpen, undefined);
    assert.equal(closed?.detail, 'denied');
    const cut = [...question, result('c', { outcome: 'interrupted' }, { atMs: 3 })];
    const [over] = agentMoments(cut).filter(({ kind }) => kind === 'approval');
    assert.equal(over?.isOpen, undefined);
    assert.equal(over?.detail, 'interrupted');
  });

  it('says where a turn goes on without its messages after a pause', () => {
    const events = [
      prompt('go', { atMs: 1 }),
      turnResumed(9),
      call('c', 'Bash', input, { atMs: 9 }),
    ];
    const [, note, tool] = agentMoments(events);
    assert.equal(note?.title, 'The rest of this turn lacks the agent’s messages');
    assert.equal(note.kind, 'mark');
    assert.equal(tool?.kind, 'tool');
  });

  it('shows invisible characters of an approval', () => {
    const hidden = { command: 'echo \u202e"fr- mr"' };
    const [open] = agentMoments([asked('c', 'Bash', hidden, { atMs: 1 })]);
    assert.equal(open?.exact, 'echo ⟨U+202E⟩"fr- mr"');
    assert.doesNotMatch(`${open.title} ${open.detail}`, /\u202e/);
  });

  it('puts an approval and a short message before it into the row of the tool call', () => {
    const moments = agentMoments([
      message('Let me look at the queue.', { atMs: 0, id: 'm1' }),
      message('I run the tests.', { atMs: 1, id: 'm2' }),
      tokens(10, 2, { atMs: 1 }),
      call('c', 'Bash', input, { atMs: 2, id: 'c1' }),
      asked('c', 'Bash', input, { atMs: 3, id: 'a1' }),
      resolved('c', 'allowed', { atMs: 4 }),
      result('c', {}, { atMs: 5 }),
      message('One fails:\nqueue.test.ts', { atMs: 6, id: 'm3' }),
      call('d', 'Bash', input, { atMs: 7, id: 'c2' }),
      result('d', {}, { atMs: 8 }),
      asked('e', 'Bash', input, { atMs: 9, id: 'a2' }),
      message('Done.', { atMs: 10, id: 'm4' }),
      prompt('Again', { atMs: 11, id: 'p' }),
      call('f', 'Bash', input, { atMs: 12, id: 'c3' }),
    ]);
    const parts = moments.flatMap(({ id, partOf }) => (partOf ? [`${id} of ${partOf}`] : []));
    assert.deepEqual(parts, ['event-m2 of event-c1', 'event-a1 of event-c1']);
  });

  it('says that a tool that ran was allowed, if only by a rule', () => {
    const decision = (outcome: 'ok' | 'failed' | 'denied') =>
      agentMoments([
        asked('c', 'Bash', input, { atMs: 1 }),
        result('c', { outcome }, { atMs: 2 }),
      ])[0]?.detail;
    assert.deepEqual(
      [decision('ok'), decision('failed'), decision('denied')],
      ['allowed', 'allowed', 'denied'],
    );
  });

  it('names a tool once', () => {
    const titled = (tool: string, title: string) =>
      agentMoments([{ ...call('c', tool, input, { atMs: 1 }), title }])[0]?.title;
    assert.equal(titled('Bash', 'npm test'), 'Bash npm test');
    assert.equal(titled('Write', 'Write /a/b.ts'), 'Write /a/b.ts');
    assert.equal(titled('write', 'Write(/a/b.ts)'), 'Write(/a/b.ts)');
    assert.equal(titled('Read', 'Readme.md'), 'Read Readme.md');
    assert.equal(titled('Task', ''), 'Task');
  });

  it('uses the translations of the reader’s language', () => {
    l10n.config({
      contents: { failed: 'fehlgeschlagen', '{0} s': '{0} s', '{0} files': '{0} Dateien' },
    });
    try {
      const files = ['a.ts', 'b\u202e.ts'];
      const [moment] = agentMoments([
        call('c', 'Bash', input, { atMs: 1 }),
        result('c', { outcome: 'failed', durationMs: 1400, files }, { atMs: 3 }),
      ]);
      assert.equal(moment?.detail, 'fehlgeschlagen · 1.4 s · 2 Dateien');
    } finally {
      l10n.config({ contents: {} });
    }
  });

  it('shows the result of a turn with its prompt', () => {
    const moments = agentMoments([
      prompt('Fix it', { atMs: 0 }),
      call('c', 'Bash', input, { atMs: 1 }),
      asked('c', 'Bash', input, { atMs: 2 }),
      result('c', { files: ['a.ts', 'b.ts'] }, { atMs: 3 }),
      tokens(1000, 200, { atMs: 4 }),
      message('All green now.', { atMs: 5 }),
      completed({ atMs: 2500 }),
      prompt('And now?', { atMs: 3000 }),
    ]);
    const details = moments.filter(({ kind }) => kind === 'prompt').map(({ detail }) => detail);
    assert.deepEqual(details, [
      '2.5 s · 1 tool call · 1 approval · 2 files changed · 1200 tokens · All green now.',
      undefined,
    ]);
  });

  it('names the branch that starts at a moment', () => {
    const created = {
      ...prompt('', { atMs: 1 }),
      kind: 'timeline.sessionBranch.created',
      fromSession: 'a',
      toSession: 'b',
      method: 'replay',
      details: { name: 'use a clock' },
    } as const;
    const [moment] = agentMoments([created]);
    assert.equal(moment?.branchId, 'b');
    assert.equal(moment.title, 'Branch use a clock');
  });
});
