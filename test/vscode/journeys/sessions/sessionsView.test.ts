import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { readSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { outputOf, readRecording, until } from '../../../support/ah.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordAgent, recordCommand, sessionIn } from '../../harness/pages/journeySteps.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import { look } from '../../harness/pages/look.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

describe('the sessions view', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  async function openView(): Promise<Workbench> {
    const workbench = await workspace.open();
    await workbench.showViews();
    return workbench;
  }
  const row = (workbench: Workbench, text: string) =>
    workbench.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();

  /** Chooses an entry of a row's context menu. */
  async function choose(workbench: Workbench, text: string, entry: string): Promise<void> {
    await row(workbench, text).click({ button: 'right' });
    await workbench.chooseFromMenu(entry);
  }

  async function recordAndEnd(workbench: Workbench, line = 'echo done'): Promise<void> {
    await recordCommand(workbench, line);
    await workbench.terminalShows('Ended with exit code 0');
    await row(workbench, 'Today').waitFor();
  }

  it('shows a welcome text, running sessions, then ended ones', async () => {
    const workbench = await openView();
    await workbench.page
      .locator('.part.sidebar .monaco-button', { hasText: 'Record Agent' })
      .click();
    await workbench.pick('Claude Code').click();
    await workbench.terminalShows('Fake agent ready');
    await row(workbench, 'Running').waitFor();
    await row(workbench, 'Claude Code').waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Claude Code' }).click();
    await new TimelinePage(workbench).shows('Fake agent ready');
    await workbench.type('bye\n');
    await row(workbench, 'Today').waitFor();
    assert.match(await row(workbench, 'Claude Code').innerText(), /exit 3/);
    await row(workbench, 'Running').waitFor({ state: 'hidden' });
    await workbench.page
      .locator('.statusbar-item', { hasText: 'Claude Code' })
      .waitFor({ state: 'hidden' });
  });

  it('shows the name of a row under the pointer, and opens the session by a click', async () => {
    const workbench = await openView();
    const { page } = workbench;
    await recordCommand(workbench, 'echo a name of many words; cat');
    await row(workbench, 'echo a name').waitFor();
    const width = await narrowSideBar(page, 270);
    const name = row(workbench, 'echo a name').locator('.label-name').first();
    const isOpen = async () => {
      await row(workbench, 'echo a name').hover();
      const icons = row(workbench, 'echo a name').locator('.actions .action-label');
      assert.equal(await icons.count(), 1, 'one icon');
      await look(workbench, `row-${width}`);
      const [text, icon] = [(await name.boundingBox())!, (await icons.first().boundingBox())!];
      assert.ok(text.x + 100 < icon.x, 'the name is readable');
      await row(workbench, 'echo a name').click();
    };
    await workbench.command('File: New Untitled Text File');
    await isOpen();
    await workbench.terminalHasFocus();
    await choose(workbench, 'echo a name', 'Stop Session');
    await page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Stop' }).click();
    await row(workbench, 'stopped').waitFor();
    await isOpen();
    await new TimelinePage(workbench).shows('a name of many words');
  });

  it('opens a session as a timeline, and as a page of final lines and facts', async () => {
    const workbench = await openView();
    await recordAndEnd(workbench);
    await row(workbench, 'echo done').click();
    await new TimelinePage(workbench).shows('done');
    await workbench.command('View: Close All Editors');
    const { meta } = await sessionIn(workspace.folder);
    await workbench.command('Terminal: Create New Terminal');
    await workbench.terminalShows(path.basename(workspace.folder));
    // The server's equivalent of `code`.
    await workbench.type(`code-server '${meta.recording}'\n`);
    await new TimelinePage(workbench).shows('done');
    await workbench.command('View: Close All Editors');
    await workbench.command('AH: Open Recording');
    const page = workbench.webview();
    await page.locator('.lines .text', { hasText: /^done$/ }).waitFor();
    assert.equal(await page.locator('h1').innerText(), 'echo done');
    // The page has no inline script, except for VS Code's own.
    assert.equal(await page.locator('script:not([src]):not(#_vscodeApiScript)').count(), 0);
  });

  it('stops the session of the row, after a question that names it', async () => {
    const workbench = await openView();
    const { page } = workbench;
    const dialog = page.locator('.monaco-dialog-box');
    const answer = (button: string) =>
      dialog.locator('.monaco-button', { hasText: button }).click();
    for (const name of ['echo one', 'echo two']) {
      await recordCommand(workbench, `${name}; cat`);
      await row(workbench, name).waitFor();
    }
    await choose(workbench, 'echo one', 'Stop Session');
    await dialog.filter({ hasText: 'Stop “echo one; cat”?' }).waitFor();
    await answer('Cancel');
    // The palette asks which session to stop, although the terminal of one is in front.
    await workbench.commandAndPick('AH: Stop Session', 'echo one');
    await dialog.filter({ hasText: 'Stop “echo one; cat”?' }).waitFor();
    await answer('Stop');
    const ended = row(workbench, 'echo one').filter({ hasText: 'stopped' });
    await ended.waitFor();
    await ended.locator('.codicon-stop-circle').waitFor();
    const one = journeyWorld().sandbox.catalogue;
    const states = (await one.list()).filter(({ meta }) => meta.cwd === workspace.folder);
    assert.deepEqual(
      states.map(({ meta }) => [meta.state, meta.stoppedByUser]),
      [
        ['running', undefined],
        ['finished', true],
      ],
    );
    await ended.click();
    await new TimelinePage(workbench).shows('one');
    await workbench.webview().locator('body', { hasText: 'stopped' }).waitFor();
  });

  it('stops the session that the question names, also when its row has moved', async () => {
    const { sandbox } = journeyWorld();
    const workbench = await openView();
    await recordCommand(workbench, 'echo old; cat');
    await row(workbench, 'echo old').waitFor();
    const place = async () => (await row(workbench, 'echo old').boundingBox())!.y;
    const before = await place();
    await choose(workbench, 'echo old', 'Stop Session');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: 'Stop “echo old; cat”?' }).waitFor();

    const cwd = workspace.folder;
    const started = await sandbox.launch(['/bin/bash', '-c', 'cat'], { cwd });
    await row(workbench, 'bash').waitFor();
    await until(async () => (await place()) > before, 'the row to move');
    await dialog.locator('.monaco-button', { hasText: 'Stop' }).click();
    await row(workbench, 'echo old').filter({ hasText: 'stopped' }).waitFor();
    assert.equal((await started.session()).meta.state, 'running');
    await row(workbench, 'Running').waitFor();
  });

  it('renames, reveals and filters', async () => {
    const workbench = await openView();
    await recordAndEnd(workbench);
    const { meta } = await sessionIn(workspace.folder);
    await recordAndEnd(workbench, 'echo other');
    await row(workbench, 'echo other').waitFor();
    await choose(workbench, 'echo done', 'Rename Session');
    await workbench.answer('Fix the till');
    await row(workbench, 'Fix the till').waitFor();
    await choose(workbench, 'Fix the till', 'Reveal Session Files');
    await workbench.notification(meta.recording).waitFor();
    await workbench.command('AH: Filter Sessions');
    await workbench.answer('TILL done');
    await row(workbench, 'echo other').waitFor({ state: 'hidden' });
    await row(workbench, 'Fix the till').waitFor();
    await workbench.command('AH: Filter Sessions');
    await workbench.answer('nothing like it');
    await row(workbench, 'Fix the till').waitFor({ state: 'hidden' });
    await workbench.page.locator('.part.sidebar', { hasText: 'No session matches' }).waitFor();
    await workbench.command('AH: Clear Session Filter');
    await row(workbench, 'Fix the till').waitFor();
  });

  it('pins, archives, and marks sessions that ended unseen until their timeline is opened', async () => {
    const workbench = await openView();
    const end = path.join(workspace.folder, 'end');
    await recordCommand(workbench, `until test -e ${end}; do sleep 0.1; done`);
    await row(workbench, 'Running').waitFor();
    await row(workbench, 'until test').waitFor();
    // The user leaves the terminal.
    await workbench.command('File: New Untitled Text File');
    await workbench.page.locator('.tab', { hasText: 'Untitled' }).waitFor();
    writeFileSync(end, '');
    const unread = workbench.page.locator('.part.sidebar [aria-label*="unread"]');
    await unread.waitFor();
    await choose(workbench, 'until test', 'Open Timeline');
    await unread.waitFor({ state: 'hidden' });
    await choose(workbench, 'until test', 'Mark as Unread');
    await unread.waitFor();
    await choose(workbench, 'until test', 'Pin Session');
    await row(workbench, 'Pinned').waitFor();
    await choose(workbench, 'until test', 'Archive Session');
    await row(workbench, 'Pinned').waitFor({ state: 'hidden' });
    await row(workbench, 'Archived').click();
    await row(workbench, 'until test').waitFor();
    await choose(workbench, 'until test', 'Unarchive Session');
    await row(workbench, 'Pinned').waitFor();
    const notes = await readSessionNotes((await sessionIn(workspace.folder)).folder);
    assert.deepEqual([notes.isPinned, notes.isArchived, notes.isUnread], [true, false, true]);
  });

  it('exports a session as redacted text', async () => {
    const workbench = await openView();
    await recordCommand(workbench, 'echo API_KEY=planted-value-1234');
    await workbench.terminalShows('Ended with exit code 0');
    await row(workbench, 'Today').waitFor();
    await workbench.commandAndPick('AH: Export Session…', 'Markdown');
    const target = path.join(workspace.folder, 'exported.md');
    await workbench.answerFile(target);
    await until(() => existsSync(target), 'the export');
    const text = readFileSync(target, 'utf8');
    assert.match(text, /API_KEY=\[redacted\]/);
    assert.doesNotMatch(text, /planted-value/);
    assert.deepEqual(readdirSync(workspace.folder), ['exported.md'], 'no draft is left');
  });

  it('writes a problem report without secrets', async () => {
    const workbench = await openView();
    await recordCommand(workbench, 'echo API_KEY=planted-value-1234');
    await workbench.terminalShows('Ended with exit code 0');
    const { meta } = await sessionIn(workspace.folder);
    await workbench.command('AH: Report Problem');
    const lines = workbench.page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: 'Problem report: AH Time Travel' }).waitFor();
    const shown = async () => (await lines.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
    let report = await shown();
    // The last lines of the log are the newest.
    await workbench.page.locator('.editor-instance .view-lines').click();
    await workbench.page.keyboard.press('Control+End');
    await lines.filter({ hasText: meta.id }).first().waitFor();
    report += await shown();
    assert.match(report, /What happened, and what did you expect\?/);
    assert.match(report, /- sessions: \d+, of them running \d+/);
    assert.match(report, /Recording .* -c echo API_KEY=\[redacted\] as session/);
    assert.ok(report.includes(meta.id), report);
    assert.doesNotMatch(report, /planted-value/);
  });

  it('deletes a session, and undoes it', async () => {
    const workbench = await openView();
    await recordAndEnd(workbench);
    const { folder } = await sessionIn(workspace.folder);
    await choose(workbench, 'echo done', 'Delete Session');
    await row(workbench, 'echo done').waitFor({ state: 'hidden' });
    const notice = workbench.notification('Deleted');
    await notice.hover();
    await notice.locator('.monaco-button', { hasText: 'Undo' }).click();
    await row(workbench, 'echo done').waitFor();

    await choose(workbench, 'echo done', 'Delete Session');
    await workbench.notification('Deleted').waitFor();
    await workbench.command('Notifications: Clear All Notifications');
    await until(() => !existsSync(folder), 'the files to be gone');
  });

  it('marks a session whose recorder was killed, and keeps its recording', async () => {
    const workbench = await openView();
    await recordAgent(workbench);
    await workbench.type('last words\n');
    await workbench.terminalShows('You said: last words');
    // Output just before the kill may be lost: wait until this text is on disk.
    const { recording } = (await sessionIn(workspace.folder)).meta;
    const isKept = async () =>
      outputOf((await readRecording(recording)).records).includes('You said: last words');
    await until(isKept, 'the words to be written');
    await journeyWorld().sandbox.killRecorders();
    await workbench.terminalShows('The recorder stopped');
    await until(
      async () => (await sessionIn(workspace.folder)).meta.state === 'interrupted',
      'the session to be marked',
      20_000,
    );
    await workbench.notification('was killed').waitFor();
    await row(workbench, 'interrupted').click();
    await new TimelinePage(workbench).shows('You said: last words');
  });
});

/** Drags the edge of the side bar. @returns the width it has then */
async function narrowSideBar(page: Page, width: number): Promise<number> {
  const bar = page.locator('.part.sidebar');
  const { x, y, width: before } = (await bar.boundingBox())!;
  await page.mouse.move(x + before, y + 200);
  await page.mouse.down();
  await page.mouse.move(x + width, y + 200, { steps: 5 });
  await page.mouse.up();
  const after = Math.round((await bar.boundingBox())!.width);
  assert.ok(Math.abs(after - width) < 10, `${after} pixels`);
  return after;
}
