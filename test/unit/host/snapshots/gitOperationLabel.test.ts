import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  gitOperationLabel,
  reflogLabel,
} from '../../../../src/host/snapshots/gitOperationLabel.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const OLD = '1'.repeat(40);
const NEW = `8999f3e${'0'.repeat(33)}`;
const WHO = 'Ada Lovelace <ada@example.org> 1700000000 +0100';

const lineOf = (message: string) => `${OLD} ${NEW} ${WHO}\t${message}`;

describe('the label of a git operation', () => {
  const folder = useTemporaryFolder();

  /** What git 2.39 writes, and what each line becomes. */
  const MESSAGES: readonly (readonly [string, string])[] = [
    ['commit: Bankers', 'Commit 8999f3e Bankers'],
    ['commit (initial): Start: again', 'Commit 8999f3e Start: again'],
    ['commit (amend): Bankers', 'Amended commit 8999f3e Bankers'],
    ["commit (merge): Merge branch 'topic'", "Merge branch 'topic'"],
    ['checkout: moving from topic to main', 'Switched to main'],
    [`checkout: moving from main to ${NEW}`, 'Switched to 8999f3e'],
    ['reset: moving to HEAD~1', 'Reset to HEAD~1'],
    [`reset: moving to ${NEW}`, 'Reset to 8999f3e'],
    ["merge topic: Merge made by the 'ort' strategy.", 'Merge topic'],
    ['merge topic: Fast-forward', 'Merge topic'],
    ['pull: Fast-forward', 'Pull'],
    ['pull -q origin main: Fast-forward', 'Pull origin main'],
    ['rebase (start): checkout main', 'Rebase onto main'],
    ['rebase (pick): Bankers', 'Rebase: Bankers'],
    ['rebase (finish): returning to refs/heads/topic', 'Rebase topic'],
    ['rebase -i (finish): returning to refs/heads/topic', 'Rebase topic'],
    ['rebase (abort): returning to refs/heads/topic', 'Rebase of topic aborted'],
    ['rebase (abort): updating HEAD', 'Rebase aborted'],
    ['cherry-pick: Bankers', 'Cherry-pick 8999f3e Bankers'],
    ['revert: Revert "Bankers"', 'Revert "Bankers"'],
    ['clone: from https://example.org/a.git', 'Clone: from https://example.org/a.git'],
  ];
  for (const [message, label] of MESSAGES)
    it(`is “${label}” for “${message}”`, () => assert.equal(reflogLabel(lineOf(message)), label));

  it('is unknown for text that is no line of a reflog', () => {
    for (const text of ['', 'commit: Bankers', lineOf(''), `${OLD} ${NEW}`])
      assert.equal(reflogLabel(text), undefined);
  });

  it('comes from the last line of a reflog of any length', async () => {
    mkdirSync(path.join(folder.path, 'logs'));
    const lines = Array.from({ length: 1000 }, (_, n) => lineOf(`commit: number ${n}`));
    writeFileSync(path.join(folder.path, 'logs', 'HEAD'), `${lines.join('\n')}\n`);
    assert.equal(await gitOperationLabel(folder.path), 'Commit 8999f3e number 999');
  });

  it('is a general one without a reflog', async () => {
    assert.equal(await gitOperationLabel(path.join(folder.path, 'none')), 'Git operation');
    mkdirSync(path.join(folder.path, 'logs'));
    const file = path.join(folder.path, 'logs', 'HEAD');
    writeFileSync(file, '');
    assert.equal(await gitOperationLabel(folder.path), 'Git operation');
    writeFileSync(file, lineOf(`commit: ${'a'.repeat(100_000)}`));
    assert.equal(await gitOperationLabel(folder.path), 'Git operation');
  });
});
