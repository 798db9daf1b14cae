import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { openedSnapshots } from '../../../../src/node/snapshots/openedSnapshots.ts';
import { readSessionNotes } from '../../../../src/node/sessions/sessionNotes.ts';
import { until } from '../../../support/ah.ts';
import { fingerprint, userGit } from '../../../support/gitWorkspace.ts';
import { recordCommand, sessionIn } from '../../harness/journeySteps.ts';
import { run, takeSnapshot } from '../../harness/shellSteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/workbench.ts';

/** The files of every moment, in a real repository, as a person meets them. */
describe('snapshots in the editor', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  const fileOf = (name: string) => path.join(workspace.folder, name);
  const contentOf = (name: string) => readFileSync(fileOf(name), 'utf8');

  beforeEach(async () => {
    await userGit(workspace.folder, 'init', '-q');
    writeFileSync(fileOf('kept.txt'), 'as it was\n');
    writeFileSync(fileOf('gone.txt'), 'to be removed\n');
    await userGit(workspace.folder, 'add', '.');
    await userGit(workspace.folder, 'commit', '-qm', 'first');
  });

  /** A recorded shell that has changed all three ways a file can change, with a snapshot before and after. */
  async function recordChanges(opening = workspace.open()): Promise<Workbench> {
    const workbench = await opening;
    await recordCommand(workbench, 'bash --norc');
    await run(workbench, 'true');
    await run(workbench, 'echo changed > kept.txt; echo hello > made.txt; rm gone.txt');
    await takeSnapshot(workbench, 'after the change');
    return workbench;
  }

  it('are opened as a folder of the workspace that nobody can write to', async () => {
    const workbench = await recordChanges(workspace.openAsOneOfSeveral());
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
    const workbench = await recordChanges();
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

  it('come back after a look at what that would change, and can be undone', async () => {
    const workbench = await recordChanges();
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

  it('are pinned, and opened in a window of their own', async () => {
    const workbench = await recordChanges();
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

function tab(page: Page, title: string): Locator {
  return page.locator('.tab', { hasText: title });
}

/** Waits until the editor with all changes has these names, and no others. */
async function comparesFiles(page: Page, expected: readonly string[]): Promise<void> {
  // Those of an editor that was there before are kept for the next, and not seen.
  const title = '.multiDiffEntry .file-path .title:not(.original) .label-name';
  const names = page.locator(`${title} >> visible=true`);
  let found: string[] = [];
  const areThere = async () => {
    const texts = (await names.allTextContents()).map((name) => name.trim()).filter(Boolean);
    found = [...new Set(texts)].sort();
    return isDeepStrictEqual(found, expected);
  };
  await until(areThere, 'the changes').catch(() => assert.deepEqual(found, expected));
}
