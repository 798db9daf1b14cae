import path from 'node:path';
import { journeyWorld } from '../harness/journeyHooks.ts';
import { PLANS_NAME, recordTwoPlans } from '../harness/recordTwoPlans.ts';
import { setTheme, THEMES } from '../harness/themes.ts';
import { TimelinePage } from '../harness/timelinePage.ts';
import { useWorkspace } from '../harness/useWorkspace.ts';
import { Workbench } from '../harness/workbench.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/images');

/** The dialog comes and goes slowly, and looks like glass meanwhile. */
const FADE_MS = 1000;

describe('screenshots of branching', function () {
  this.timeout(400_000);
  const workspace = useWorkspace();

  for (const [name, theme] of Object.entries(THEMES)) {
    it(name, async () => {
      setTheme(theme);
      await recordTwoPlans(journeyWorld().sandbox, workspace.folder);
      const workbench = await workspace.open();
      const { page } = workbench;
      await page.locator('.activitybar .action-label[aria-label^="AH Time Travel"]').click();
      const timeline = await TimelinePage.open(workbench, PLANS_NAME);
      await timeline.frame.locator('.moment-go', { hasText: 'first plan' }).first().click();
      await timeline.press('i');
      await page.locator('.quick-input-widget', { hasText: 'told this first' }).waitFor();
      await workbench.answer('use a queue instead');
      await workbench.pick('Brought along').waitFor();
      await page.waitForTimeout(FADE_MS);
      await page.screenshot({ path: path.join(FOLDER, `branch-${name}.png`) });
      const row = workbench.pick('Branch in a New Window');
      const [opened] = await Promise.all([page.context().waitForEvent('page'), row.click()]);
      const branch = new Workbench(opened);
      await branch.ready();
      await branch.terminalShows('What next?', 120_000);
      await opened.screenshot({ path: path.join(FOLDER, `branch-window-${name}.png`) });
      await page.bringToFront();
      await timeline.frame.locator('.lane').first().waitFor();
      await page.locator('.pane-body .monaco-list-row', { hasText: 'use-a-queue' }).waitFor();
      await page.screenshot({ path: path.join(FOLDER, `branch-tree-${name}.png`) });
    });
  }
});
