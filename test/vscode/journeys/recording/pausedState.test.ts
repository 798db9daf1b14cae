import { recordAgent } from '../../harness/pages/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('a paused recording in VS Code', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  it('is shown in the status bar and in the tab of its terminal, until it is resumed', async () => {
    const workbench = await workspace.open();
    const { page } = workbench;
    const shown = [
      page.locator('.statusbar-item', { hasText: 'Claude Code · not recorded' }).first(),
      page
        .locator('.single-terminal-tab, .terminal-tabs-entry', { hasText: 'not recorded' })
        .first(),
    ];
    await workbench.showViews();
    await recordAgent(workbench);
    await workbench.command('AH: Pause Recording');
    for (const place of shown) await place.waitFor();
    await workbench.command('AH: Resume Recording');
    for (const place of shown) await place.waitFor({ state: 'hidden' });
    await workbench.type('bye\n');
  });
});
