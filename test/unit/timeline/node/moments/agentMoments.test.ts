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

  it('shows invisible characters of an approval', () => {
    const hidden = { command: 'echo \u202e"fr- mr"' };
    const [open] = agentMoments([asked('c', 'Bash', hidden, { atMs: 1 })]);
    assert.equal(open?.exact, 'echo ⟨U+202E⟩"fr- mr"');
    assert.doesNotMatch(`${open.title} ${open.detail}`, /\u202e/);
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
      '2.5 s · 1 tool · 1 approval · 2 files changed · 1200 tokens · All green now.',
      undefined,
    ]);
  });
});
