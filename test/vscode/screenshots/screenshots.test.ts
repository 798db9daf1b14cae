import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDemoProject } from '../../mockAgent/demo/demoProject.ts';
import { ensureSystemPackages } from '../harness/editor/aptPackages.ts';
import { journeyWorld } from '../harness/journeyHooks.ts';
import { recordAgent } from '../harness/pages/journeySteps.ts';
import { recordMockAgent } from '../harness/sessions/recordMockAgent.ts';
import { setTheme, THEMES } from '../harness/editor/themes.ts';
import { useWorkspace } from '../harness/useWorkspace.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/images');

/** Screenshots for the README and for reviewing changes. */
describe('screenshots', function () {
  this.timeout(300_000);
  const workspace = useWorkspace('pool');
  before(() => ensureSystemPackages(['fonts-symbola']));

  for (const [name, theme] of Object.entries(THEMES)) {
    it(name, async () => {
      setTheme(theme);
      const { sandbox } = journeyWorld();
      const startFile = path.join(sandbox.folder, `start-${name}`);
      makeDemoProject(workspace.folder, '# Pool\n');
      const options = { speed: 2, startFile, endsByItself: true };
      await recordMockAgent(sandbox, workspace.folder, options);
      const workbench = await workspace.open();
      const { page } = workbench;
      await page.locator('.activitybar .action-label[aria-label^="AH Time Travel"]').click();
      const row = page.locator('.part.sidebar .monaco-list-row', { hasText: 'Mock Agent' });
      await row.waitFor();
      await page.locator('.statusbar-item', { hasText: 'Mock Agent' }).waitFor();
      writeFileSync(startFile, '');
      await workbench.terminalShows('⎿', 60_000);
      await page.locator('.statusbar-item', { hasText: 'Mock Agent' }).click();
      await workbench.webview().locator('.moment').nth(4).waitFor({ timeout: 60_000 });
      await page.mouse.move(800, 300); // Away from the icon, to avoid its tooltip.
      await page.locator('.workbench-hover-container').waitFor({ state: 'hidden' });
      await page
        .locator('.monaco-progress-container.active')
        .first()
        .waitFor({ state: 'hidden', timeout: 60_000 });
      await page.screenshot({ path: path.join(FOLDER, `recording-${name}.png`) });
      await workbench.terminalShows('Ended with exit code', 120_000);
      await workbench.command('View: Close All Editors');
      await workbench.command('AH: Open Recording');
      await recordAgent(workbench);
      await workbench.webview().locator('.moment').first().waitFor();
      await workbench.command('View: Toggle Panel Visibility');
      await page.locator('.part.panel').waitFor({ state: 'hidden' });
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      await page.screenshot({ path: path.join(FOLDER, `recording-opened-${name}.png`) });
    });
  }
});
