import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf, readRecording, until } from '../../../support/ah.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordAgent, recordCommand, sessionIn } from '../../harness/journeySteps.ts';
import { TimelinePage } from '../../harness/timelinePage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/workbench.ts';

describe('the sessions view', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  async function openView(): Promise<Workbench> {
    const workbench = await workspace.open();
    await workbench.page
      .locator('.activitybar .action-label[aria-label^="AH Time Travel"]')
      .click();
    return workbench;
  }
  const row = (workbench: Workbench, text: string) =>
    workbench.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();

  /** Chooses from the menu of a row. */
  async function choose(workbench: Workbench, text: string, entry: string): Promise<void> {
    await row(workbench, text).click({ button: 'right' });
    const item = workbench.page.locator('.monaco-menu .action-item', { hasText: entry }).first();
    await item.waitFor();
    await until(
      async () => {
        // A menu that has only just opened takes no clicks.
        await item.click({ timeout: 2000 }).catch(() => undefined);
        return !(await item.isVisible());
      },
      `the menu to take ${entry}`,
      20_000,
    );
  }

  async function recordAndEnd(workbench: Workbench, line = 'echo done'): Promise<void> {
    await recordCommand(workbench, line);
    await workbench.terminalShows('Ended with exit code 0');
    await row(workbench, 'Today').waitFor();
  }

  it('starts with a welcome, then lists what runs, then what has ended', async () => {
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

  it('opens a timeline, as a command line does, and a page with what it ended with and what is known of it', async () => {
    const workbench = await openView();
    await recordAndEnd(workbench);
    await row(workbench, 'echo done').click();
    await new TimelinePage(workbench).shows('done');
    await workbench.command('View: Close All Editors');
    const { meta } = await sessionIn(workspace.folder);
    await workbench.command('Terminal: Create New Terminal');
    await workbench.terminalShows(path.basename(workspace.folder));
    // What `code` is to a desktop.
    await workbench.type(`code-server '${meta.recording}'\n`);
    await new TimelinePage(workbench).shows('done');
    await workbench.command('View: Close All Editors');
    await workbench.command('AH: Open Recording');
    const page = workbench.webview();
    await page.locator('.lines .text', { hasText: /^done$/ }).waitFor();
    assert.equal(await page.locator('h1').innerText(), 'echo done');
    // The one script that the editor itself adds aside.
    assert.equal(await page.locator('script:not([src]):not(#_vscodeApiScript)').count(), 0);
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

  it('exports a session as a text without its secrets', async () => {
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

  it('writes a problem report that holds what happened, and no secret', async () => {
    const workbench = await openView();
    await recordCommand(workbench, 'echo API_KEY=planted-value-1234');
    await workbench.terminalShows('Ended with exit code 0');
    const { meta } = await sessionIn(workspace.folder);
    await workbench.command('AH: Report Problem');
    const lines = workbench.page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: 'Problem report: AH Time Travel' }).waitFor();
    const shown = async () => (await lines.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
    let report = await shown();
    // The newest lines of the log are the last.
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

  it('deletes a session, with a way back', async () => {
    const workbench = await openView();
    await recordAndEnd(workbench);
    const { folder } = await sessionIn(workspace.folder);
    await workbench.command('AH: Delete Session');
    await row(workbench, 'echo done').waitFor({ state: 'hidden' });
    const notice = workbench.notification('Deleted');
    await notice.hover();
    await notice.locator('.monaco-button', { hasText: 'Undo' }).click();
    await row(workbench, 'echo done').waitFor();

    await workbench.command('AH: Delete Session');
    await workbench.notification('Deleted').waitFor();
    await workbench.command('Notifications: Clear All Notifications');
    await until(() => !existsSync(folder), 'the files to be gone');
  });

  it('marks a session whose recorder was killed, and keeps what it wrote', async () => {
    const workbench = await openView();
    await recordAgent(workbench);
    await workbench.type('last words\n');
    await workbench.terminalShows('You said: last words');
    // What was shown just before the kill may be lost; these words shall be on the disk.
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
