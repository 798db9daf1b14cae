import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openedSnapshots } from '../../../../src/snapshots/node/list/openedSnapshots.ts';
import { readSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { until } from '../../../support/ah.ts';
import { sessionIn } from '../../harness/pages/journeySteps.ts';
import { look } from '../../harness/pages/look.ts';
import {
  comparesFiles,
  recordChanges,
  startRepository,
  tab,
} from '../../harness/sessions/recordChanges.ts';
import { run, takeSnapshot } from '../../harness/pages/shellSteps.ts';
import { Workbench } from '../../harness/pages/workbench.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

/** Snapshots of a real repository, used as in the UI. */
describe('snapshots in VS Code', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  const fileOf = (name: string) => path.join(workspace.folder, name);
  const contentOf = (name: string) => readFileSync(fileOf(name), 'utf8');

  beforeEach(() => startRepository(workspace.folder));

  it('open as a read-only workspace folder', async () => {
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
      .locator('.monaco-editor-overlaymessage', { hasText: 'This file is part of a snapshot' })
      .waitFor();
    assert.equal(contentOf('kept.txt'), 'later\n');
    await workbench.commandAndPick('AH: Go to File in Snapshot…', 'made.txt');
    await until(async () => (await editorText(workbench.page)).includes('hello'), 'the other file');
    const { folder: session } = await sessionIn(workspace.folder);
    assert.deepEqual([...(await openedSnapshots(session))], [2n], 'it may not be pruned now');
  });

  it('are compared with the workspace, the previous snapshot, and each other', async () => {
    const workbench = await recordChanges(await workspace.open());
    await run(workbench, 'echo later > later.txt');
    await workbench.commandAndPick('AH: Compare Snapshot with Previous…', 'after the change');
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
    // The list of sessions counts them.
    await workbench.showViews();
    const row = workbench.page.locator('.pane-body .monaco-list-row', { hasText: 'bash' }).first();
    await until(async () => (await row.innerText()).includes('4 files changed'), 'the count');
  });

  it('show what changed since in Source Control, until it is hidden', async () => {
    const workbench = await recordChanges(await workspace.open());
    const { page } = workbench;
    await workbench.commandAndPick('AH: Show Changes Since…', 'Session start');
    const notice = workbench.notification('Source Control lists 3 files that changed since');
    await notice.waitFor();
    await notice.hover();
    await look(workbench, 'changes-since');
    await notice.locator('.monaco-button', { hasText: 'Open Source Control' }).click();
    const listed = page.locator('.scm-view .monaco-list-row', { hasText: 'made.txt' });
    await listed.waitFor();
    await look(workbench, 'changes-since-listed');
    await workbench.command('AH: Hide Changes');
    await listed.waitFor({ state: 'hidden' });
  });

  it('are pinned, and open in a new window named after the moment, without a terminal', async () => {
    const workbench = await recordChanges(await workspace.open());
    await workbench.commandAndPick('AH: Pin or Unpin Snapshot…', 'after the change');
    await workbench.notification('Pinned “').waitFor();
    const { folder } = await sessionIn(workspace.folder);
    assert.deepEqual((await readSessionNotes(folder)).pinnedSnapshots, ['2']);
    await workbench.commandAndPick('AH: Open Snapshot as Read-only Folder…', 'after the change');
    const opening = workbench.page.context().waitForEvent('page');
    await workbench.pick('turns this window into an untitled workspace').waitFor();
    const first = workbench.page.locator('.quick-input-list .monaco-list-row.focused');
    assert.match(await first.innerText(), /^Open in New Window/);
    await workbench.page.keyboard.press('Enter');
    const page = await opening;
    await explorerRow(page, 'made.txt').waitFor({ timeout: 60_000 });
    const name = path.basename(workspace.folder);
    const title = new RegExp(`^${name} @ \\d\\d:\\d\\d( [AP]M)? · read-only`);
    await until(async () => title.test(await page.title()), `${await page.title()} like ${title}`);
    const snapshot = new Workbench(page);
    await snapshot.ready();
    await snapshot.command('AH: Go to File in Snapshot…');
    await snapshot.answer('kept.txt');
    await until(async () => (await editorText(page)).includes('changed'), 'the file of the name');
    assert.match(await page.title(), /^kept\.txt .*read-only/, 'opened below the folder');
    await snapshot.showViews();
    await page.locator('.pane-body .monaco-list-row', { hasText: 'bash' }).first().waitFor();
    assert.equal(await page.locator('.terminal-wrapper').count(), 0, 'the original shows it');
    await snapshot.command('View: Show Explorer');
    await openRow(page, 'made.txt', 0);
    await until(async () => (await editorText(page)).includes('hello'), 'the file');
  });
});

function explorerRow(page: Page, name: string): Locator {
  return page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
}

/** VS Code expands an added folder by itself, later; a click at that time would collapse it. */
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
