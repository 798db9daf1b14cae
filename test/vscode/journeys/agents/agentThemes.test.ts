import assert from 'node:assert/strict';
import { recordAgent } from '../../harness/pages/journeySteps.ts';
import { look } from '../../harness/pages/look.ts';
import { setTheme, THEMES } from '../../harness/editor/themes.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

/** CSS classes of the status icons. */
const ICONS = {
  asks: '.codicon-bell-dot',
  works: '.codicon-loading',
  waits: '.codicon-comment-unresolved',
};

describe('agent status in themes', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();
  afterEach(() => setTheme(THEMES.dark));

  const row = (workbench: Workbench, text: string) =>
    workbench.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();
  const tab = (workbench: Workbench, icon: string) =>
    workbench.page.locator(`.terminal-tabs-entry ${icon}, .single-terminal-tab ${icon}`).first();

  for (const [name, theme] of Object.entries(THEMES)) {
    it(`is readable in ${name}: icons, waiting sessions, activity and charts`, async () => {
      setTheme(theme);
      const workbench = await workspace.open();
      await workbench.showViews();
      await recordAgent(workbench);
      await workbench.type('fail npm test\n');
      await workbench.terminalShows('Gave up on npm test.');
      await workbench.type('ask make release\n');
      await row(workbench, 'needs approval').locator(ICONS.asks).waitFor();
      await tab(workbench, ICONS.asks).waitFor();
      await recordAgent(workbench);
      await workbench.type('hang\n');
      await row(workbench, 'working').locator(ICONS.works).waitFor();
      await tab(workbench, ICONS.works).waitFor();
      await recordAgent(workbench);
      await workbench.type('loop ls -l\n');
      await row(workbench, 'waiting for you').locator(ICONS.waits).waitFor();
      await tab(workbench, ICONS.waits).waitFor();
      assert.equal(await tab(workbench, ICONS.asks).count(), 1, 'each tab has its own');
      await workbench.expandPane('Activity');
      await row(workbench, 'Gave up on ls -l.').waitFor();
      await look(workbench, `agents-${name}`);

      await workbench.command('AH: Show Sessions Waiting for You');
      await workbench.pick('Claude Code').waitFor();
      await look(workbench, `waiting-${name}`);
      const [first = ''] = await workbench.page
        .locator('.quick-input-list .monaco-list-row')
        .allInnerTexts();
      assert.match(first, /needs approval/);
      // Use the keyboard: the hover card of a long row may be in the pointer's way.
      await workbench.page.keyboard.press('Enter');
      await workbench.terminalShows('Allow make release?');
      await workbench.terminalHasFocus();
      await workbench.page.keyboard.type('y\n');
      await workbench.terminalShows('Done with make release.');

      await workbench.command('AH: Search Sessions…');
      await workbench.answer('make rel');
      await workbench.pick('make release').waitFor();
      await look(workbench, `found-${name}`);
      await workbench.page.keyboard.press('Escape');

      await workbench.command('AH: Show Session Statistics');
      const page = workbench.webview();
      await page.locator('h1', { hasText: 'Claude Code' }).waitFor();
      await page.locator('figure', { hasText: 'Tool calls' }).waitFor();
      const bars = page.locator('figure', { hasText: 'Working time of each turn' }).locator('rect');
      assert.equal(await bars.count(), 2, 'a bar for each turn');
      await look(workbench, `statistics-${name}`);
    });
  }
});
