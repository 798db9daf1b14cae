import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../../support/ah.ts';
import { recordAgent } from '../../harness/pages/journeySteps.ts';
import { isTold, toldTexts } from '../../harness/pages/notices.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

/** The row of the session in the side bar. */
const PICTURES = path.resolve('.vscode-test/pictures');

describe('the status of an agent in VS Code', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  const row = (workbench: Workbench, text: string) =>
    workbench.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();
  const badge = (workbench: Workbench) =>
    workbench.page
      .locator('.activitybar .action-item', {
        has: workbench.page.locator('.action-label[aria-label^="AH Time Travel"]'),
      })
      .locator('.badge-content');
  const statusBar = (workbench: Workbench, text: string) =>
    workbench.page.locator('.statusbar-item', { hasText: text }).first();
  async function openWithAgent(): Promise<Workbench> {
    const workbench = await workspace.open();
    await workbench.showViews();
    await recordAgent(workbench);
    await row(workbench, 'Claude Code').waitFor();
    return workbench;
  }
  /**
   * Shows the tooltip of a session. It closes when the row changes, so callers may have to repeat.
   */
  async function tooltip(workbench: Workbench, entry: string, text: string): Promise<void> {
    const hover = workbench.page.locator('.monaco-hover', { hasText: text }).first();
    const isShown = async (): Promise<boolean> => {
      await workbench.page.mouse.move(800, 200);
      await row(workbench, entry).hover();
      return hover.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    };
    await until(isShown, `"${text}" to be shown`, 30_000);
  }
  async function picture(workbench: Workbench, name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    await workbench.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  }

  it('is shown in the list, on the icon, in the status bar and in its terminal’s tab', async () => {
    const workbench = await openWithAgent();
    await workbench.type('ask npm test\n');
    await row(workbench, 'needs approval').waitFor();
    await until(async () => (await badge(workbench).innerText()) === '1', 'the badge');
    await statusBar(workbench, 'Claude Code needs approval').waitFor();
    await workbench.page
      .locator('.single-terminal-tab, .terminal-tabs-entry', { hasText: 'needs approval' })
      .first()
      .waitFor();
    await tooltip(workbench, 'needs approval', 'Waiting for approval: npm test');
    await picture(workbench, 'agent-needs-approval');

    await workbench.type('y\n');
    await row(workbench, 'waiting for you').waitFor();
    // The terminal has the focus, so the badge is gone.
    await badge(workbench).waitFor({ state: 'hidden' });
    await workbench.type('bye\n');
    await row(workbench, 'Today').waitFor();
    await workbench.page
      .locator('.single-terminal-tab', { hasText: 'waiting for you' })
      .waitFor({ state: 'hidden' });
    await tooltip(workbench, 'Claude Code', 'Please run npm test');
    await picture(workbench, 'agent-ended');
  });

  it('raises a notification that reveals the approval', async () => {
    const workbench = await openWithAgent();
    await workbench.type('when left ask make release\n');
    await workbench.command('File: New Untitled Text File');
    await workbench.page.keyboard.type('Something else meanwhile');
    writeFileSync(path.join(workspace.folder, 'left'), '');
    const notice = workbench.notification('needs approval: make release');
    await notice.waitFor();
    // Notifications stay while the pointer is on them.
    await notice.hover();
    await picture(workbench, 'agent-asks-notice');
    await notice.locator('.monaco-button', { hasText: 'Reveal' }).click();
    await workbench.terminalHasFocus();
    await workbench.page.keyboard.type('n\n');
    await workbench.terminalShows('Done with make release.');
    // No notification while the terminal has the focus; a later one shows that this one did not
    // come.
    await workbench.type('ask make install\n');
    await row(workbench, 'needs approval').waitFor();
    await workbench.type('y\n');
    await workbench.terminalShows('Done with make install.');
    // The end of a turn is known only after its last output: wait for it.
    await row(workbench, 'waiting for you').waitFor();
    await workbench.type('when away fail npm test\n');
    await workbench.command('File: New Untitled Text File');
    writeFileSync(path.join(workspace.folder, 'away'), '');
    await isTold(workbench, 'keeps failing: npm test');
    for (const text of await toldTexts(workbench)) assert.doesNotMatch(text, /make install/);
    await workbench.type('ask make clean\n');
    await row(workbench, 'needs approval').waitFor();
    await workbench.command('AH: Show Sessions Waiting for You');
    await workbench.pick('Claude Code').waitFor();
    await picture(workbench, 'agents-waiting');
  });

  it('is found in the activity list, by search, and in statistics', async () => {
    const workbench = await openWithAgent();
    await workbench.type('ask npm run lint\n');
    await row(workbench, 'needs approval').waitFor();
    await workbench.type('y\n');
    await workbench.terminalShows('Done with npm run lint.');
    await workbench.expandPane('Activity');
    await row(workbench, 'Please run npm run lint').waitFor();
    await row(workbench, 'Done with npm run lint.').waitFor();
    await picture(workbench, 'activity');

    await workbench.command('AH: Search Sessions…');
    await workbench.answer('run lin');
    await workbench.pick('Please run npm run lint').waitFor();
    await picture(workbench, 'search-facts');
    await workbench.pick('Please run npm run lint').click();
    await workbench.webview().locator('.moment', { hasText: 'npm run lint' }).first().waitFor();
    await picture(workbench, 'timeline-approval');
    await workbench.command('View: Close All Editors');

    await workbench.command('AH: Show Session Statistics');
    const page = workbench.webview();
    await page.locator('h1', { hasText: 'Claude Code' }).waitFor();
    await page.locator('figure', { hasText: 'Waiting for approval in each turn' }).waitFor();
    assert.equal(await page.locator('script').count(), 0);
    await picture(workbench, 'statistics');
  });
});
