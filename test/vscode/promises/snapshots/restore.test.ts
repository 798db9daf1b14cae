import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint } from '../../../support/git/gitWorkspace.ts';
import {
  comparesFiles,
  recordChanges,
  showsNoRenames,
  startRepository,
  tab,
} from '../../harness/sessions/recordChanges.ts';
import { isTold } from '../../harness/pages/notices.ts';
import { ReviewPage } from '../../harness/pages/reviewPage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('restoring a snapshot', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();
  const fileOf = (name: string) => path.join(workspace.folder, name);
  const contentOf = (name: string) => readFileSync(fileOf(name), 'utf8');

  beforeEach(() => startRepository(workspace.folder));

  it('reviews the changes, restores the checked ones, and can be undone', async () => {
    const workbench = await recordChanges(await workspace.open());
    const repository = path.join(workspace.folder, '.git');
    writeFileSync(fileOf('.gitignore'), 'ignored\n');
    writeFileSync(fileOf('ignored'), 'no snapshot knows this\n');
    const before = fingerprint(repository);
    await workbench.commandAndPick('AH: Restore Workspace to Snapshot…', 'Session start');
    const review = new ReviewPage(workbench);
    await review.shows('Apply 4 of 4 Changes');
    const title = 'Restore to “Session start”';
    await tab(workbench.page, title).waitFor();
    await comparesFiles(workbench.page, ['.gitignore', 'gone.txt', 'kept.txt', 'made.txt']);
    await showsNoRenames(workbench.page);
    assert.match(await review.message(), /2 files will be deleted/);
    assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0, 'blocks nothing');
    assert.equal(contentOf('kept.txt'), 'changed\n', 'nothing happens before the answer');
    await review.row('kept.txt').click();
    await tab(workbench.page, 'kept.txt (now ↔ after)').waitFor();
    await review.checkBox('made.txt').click();
    await review.shows('Apply 3 of 4 Changes');
    await review.row('Apply 3 of 4').click();
    const notice = workbench.notification('Restored 3 files to “Session start”.');
    await notice.waitFor();
    await notice.hover(); // Notifications stay while the pointer is on them.
    await tab(workbench.page, title).waitFor({ state: 'detached' });
    await tab(workbench.page, 'kept.txt (now ↔ after)').waitFor({ state: 'detached' });
    await review.isHidden();
    assert.equal(contentOf('kept.txt'), 'as it was\n');
    assert.equal(contentOf('gone.txt'), 'to be removed\n');
    assert.equal(contentOf('made.txt'), 'hello\n', 'it was not checked');
    assert.equal(contentOf('ignored'), 'no snapshot knows this\n');
    await notice.locator('.monaco-button', { hasText: 'Undo Restore' }).click();
    await isTold(workbench, 'Undone: Restore to “Session start”. Reverted 3 files.');
    assert.equal(existsSync(fileOf('gone.txt')), false);
    assert.equal(contentOf('made.txt'), 'hello\n');
    assert.equal(contentOf('kept.txt'), 'changed\n');
    assert.equal(contentOf('.gitignore'), 'ignored\n');
    assert.equal(contentOf('ignored'), 'no snapshot knows this\n');
    assert.deepEqual(fingerprint(repository), before, 'the repository is as it was');
  });
});
