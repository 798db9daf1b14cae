import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../../support/ah.ts';
import { fingerprint } from '../../../support/gitWorkspace.ts';
import { comparesFiles, recordChanges, startRepository, tab } from '../../harness/recordChanges.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('the files of a moment', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();
  const fileOf = (name: string) => path.join(workspace.folder, name);
  const contentOf = (name: string) => readFileSync(fileOf(name), 'utf8');

  beforeEach(() => startRepository(workspace.folder));

  it('come back after a look at what that would change, and can be undone', async () => {
    const workbench = await recordChanges(await workspace.open());
    const repository = path.join(workspace.folder, '.git');
    writeFileSync(fileOf('.gitignore'), 'ignored\n');
    writeFileSync(fileOf('ignored'), 'no snapshot knows this\n');
    const before = fingerprint(repository);
    await workbench.commandAndPick('AH: Restore Workspace to Snapshot…', 'Session start');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /Restore 4 files to “Session start”\?/);
    assert.match(await dialog.innerText(), /2 of them will be deleted/);
    await tab(workbench.page, 'workspace ↔ Session start').waitFor();
    const preview = ['.gitignore', 'gone.txt', 'kept.txt', 'made.txt'];
    await comparesFiles(workbench.page, preview);
    assert.equal(contentOf('kept.txt'), 'changed\n', 'nothing happens before the answer');
    await dialog.locator('.monaco-button', { hasText: 'Restore' }).click();
    const notice = workbench.notification('Restored 4 files.');
    await notice.waitFor();
    await notice.hover(); // It stays for as long as the pointer is on it.
    await tab(workbench.page, 'workspace ↔ Session start').waitFor({ state: 'detached' });
    assert.equal(contentOf('kept.txt'), 'as it was\n');
    assert.equal(contentOf('gone.txt'), 'to be removed\n');
    assert.equal(existsSync(fileOf('made.txt')), false);
    assert.equal(contentOf('ignored'), 'no snapshot knows this\n');
    await notice.locator('.monaco-button', { hasText: 'Undo' }).click();
    await until(() => existsSync(fileOf('made.txt')), 'the undo', 30_000);
    await until(() => !existsSync(fileOf('gone.txt')), 'the undo', 30_000);
    assert.equal(contentOf('kept.txt'), 'changed\n');
    assert.equal(contentOf('.gitignore'), 'ignored\n');
    assert.equal(contentOf('ignored'), 'no snapshot knows this\n');
    assert.deepEqual(fingerprint(repository), before, 'the repository is as it was');
  });
});
