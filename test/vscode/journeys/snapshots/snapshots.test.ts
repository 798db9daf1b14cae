import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openedSnapshots } from '../../../../src/snapshots/node/openedSnapshots.ts';
import { readSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { until } from '../../../support/ah.ts';
import { sessionIn } from '../../harness/journeySteps.ts';
import { comparesFiles, recordChanges, startRepository, tab } from '../../harness/recordChanges.ts';
import { run, takeSnapshot } from '../../harness/shellSteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

/** The files of every moment, in a real repository, as a person meets them. */
describe('snapshots in the editor', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  const fileOf = (name: string) => path.join(workspace.folder, name);
  const contentOf = (name: string) => readFileSync(fileOf(name), 'utf8');

  beforeEach(() => startRepository(workspace.folder));

  it('are opened as a folder of the workspace that nobody can write to', async () => {
    const workbench = await recordChanges(await workspace.openAsOneOfSeveral());
    await run(workbench, 'echo later > kept.txt');
    await workbench.commandAndPick('AH: Open Snapshot as Read-only Folder…', 'after the change');
    await workbench.pick('Add to This Workspace').click();
    const folder = explorerRow(workbench.page, 'after the change');
    await folder.waitFor({ timeout: 60_000 });
    await workbench.ready();
    await openFolder(workbench.page, folder, 'made.txt');
    assert.equal(await explorerRow(workbench.page, 'gone.txt').count(), 0);
    await openRow(workbench.page, 'kept.txt', 1);
    await until(async () => (await editorText(workbench.page)).includes('changed'), 'the file');
    await workbench.page.locator('.editor-instance .view-lines').last().click();
    await workbench.page.keyboard.type('x');
    await workbench.page
      .locator('.monaco-editor-overlaymessage', { hasText: 'This is how the file was' })
      .waitFor();
    assert.equal(contentOf('kept.txt'), 'later\n');
    await workbench.commandAndPick('AH: Go to File of Snapshot…', 'made.txt');
    await until(async () => (await editorText(workbench.page)).includes('hello'), 'the other file');
    const { folder: session } = await sessionIn(workspace.folder);
    assert.deepEqual([...(await openedSnapshots(session))], [2n], 'nobody may remove it now');
  });

  it('are compared with the workspace, with the one before, and with each other', async () => {
    const workbench = await recordChanges(await workspace.open());
    await run(workbench, 'echo later > later.txt');
    await workbench.commandAndPick('AH: Show What Changed Before Snapshot…', 'after the change');
    await comparesFiles(workbench.page, ['gone.txt', 'kept.txt', 'made.txt']);
    await workbench.commandAndPick('AH: Compare Snapshot with Workspace…', 'after the change');
    await tab(workbench.page, 'after the change ↔ workspace').waitFor();
    await comparesFiles(workbench.page, ['later.txt']);
    await takeSnapshot(workbench, 'the last one');
    await workbench.commandAndPick('AH: Compare Two Snapshots…', 'Session start');
    await workbench.pick('the last one').click();
    await tab(workbench.page, 'Session start ↔ the last one').waitFor();
    const all = ['gone.txt', 'kept.txt', 'later.txt', 'made.txt'];
    await comparesFiles(workbench.page, all);
  });

  it('are pinned, and opened in a window of their own', async () => {
    const workbench = await recordChanges(await workspace.open());
    await workbench.commandAndPick('AH: Pin or Unpin Snapshot…', 'after the change');
    await workbench.notification('is pinned').waitFor();
    const { folder } = await sessionIn(workspace.folder);
    assert.deepEqual((await readSessionNotes(folder)).pinnedSnapshots, ['2']);
    await workbench.commandAndPick('AH: Open Snapshot as Read-only Folder…', 'after the change');
    const opening = workbench.page.context().waitForEvent('page');
    await workbench.pick('Open in New Window').click();
    const page = await opening;
    await explorerRow(page, 'made.txt').waitFor({ timeout: 60_000 });
    await openRow(page, 'made.txt', 0);
    await until(async () => (await editorText(page)).includes('hello'), 'the file');
  });
});

function explorerRow(page: Page, name: string): Locator {
  return page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
}

/** The editor opens one that is added by itself, when it finds the time: a click in that moment would close it. */
async function openFolder(page: Page, row: Locator, file: string): Promise<void> {
  const isOpen = async () => {
    const isShown = await explorerRow(page, file)
      .first()
      .waitFor({ timeout: 2000 })
      .then(
        () => true,
        () => false,
      );
    if (!isShown && (await row.getAttribute('aria-expanded')) === 'false') await row.click();
    return isShown;
  };
  await until(isOpen, 'the folder to open', 60_000);
}

async function openRow(page: Page, name: string, at: number): Promise<void> {
  await explorerRow(page, name).nth(at).dblclick();
}

async function editorText(page: Page): Promise<string> {
  const lines = await page.locator('.editor-instance .view-line').allTextContents();
  return lines.join('\n').replaceAll('\u00a0', ' ');
}
