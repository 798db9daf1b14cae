import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { journeyWorld } from '../harness/journeyHooks.ts';
import { recordTwoPlans } from '../harness/sessions/recordTwoPlans.ts';
import { setTheme, THEMES } from '../harness/editor/themes.ts';
import { TimelinePage } from '../harness/pages/timelinePage.ts';
import { useWorkspace } from '../harness/useWorkspace.ts';
import { Workbench } from '../harness/pages/workbench.ts';

const CLAUDE = { agent: 'claudeCode', program: 'claude', name: 'Claude Code · plan the shop' };
const FOLDER = path.resolve(import.meta.dirname, '../../../docs/images');

/** The dialog fades in and out. */
const FADE_MS = 1000;

describe('screenshots of branching', function () {
  this.timeout(400_000);
  const workspace = useWorkspace('projects/shop');

  // Each screenshot shows one session and its branch.
  beforeEach(() => {
    const { sandbox, root } = journeyWorld();
    for (const name of ['branches', 'catalogue', 'sessions']) {
      rmSync(path.join(sandbox.folder, name), { recursive: true, force: true });
    }
    const projects = { [workspace.folder]: { hasTrustDialogAccepted: true } };
    writeFileSync(path.join(root, 'home/.claude.json'), JSON.stringify({ projects }));
  });

  for (const [name, theme] of Object.entries(THEMES)) {
    it(name, async () => {
      setTheme(theme);
      await recordTwoPlans(journeyWorld().sandbox, workspace.folder, CLAUDE);
      const workbench = await workspace.open();
      const { page } = workbench;
      await page.locator('.activitybar .action-label[aria-label^="AH Time Travel"]').click();
      const timeline = await TimelinePage.open(workbench, CLAUDE.name);
      await timeline.frame.locator('.moment-go', { hasText: 'first plan' }).first().click();
      await timeline.instruct('use a queue instead');
      await workbench.pick('Ignored files to copy').waitFor();
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
