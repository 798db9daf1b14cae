import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordCommand } from '../../harness/pages/journeySteps.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('the walkthrough', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  it('has pictures, and ticks what was done', async () => {
    void journeyWorld();
    const workbench = await workspace.open();
    const { page } = workbench;
    const step = (title: string) => page.locator('.getting-started-step', { hasText: title });
    const isDone = (title: string, isTicked: boolean) =>
      step(title)
        .locator(`.codicon-getting-started-step-${isTicked ? 'checked' : 'unchecked'}:visible`)
        .waitFor();
    // VS Code shows pictures only where there is room beside the steps.
    await workbench.command('View: Toggle Primary Side Bar Visibility');
    await workbench.commandAndPick('Welcome: Open Walkthrough...', 'Go Back to Any Moment');
    for (const title of ['Look at Any Moment', 'Compare and Restore', 'Branch from There']) {
      await isDone(title, false);
    }
    await step('Look at Any Moment').click();
    const picture = page.locator('.getting-started-media img');
    await picture.first().waitFor();
    await page.waitForFunction(
      `document.querySelector('.getting-started-media img')?.naturalWidth > 500`,
    );
    await recordCommand(workbench, 'echo done');
    await workbench.terminalShows('Ended with exit code 0');
    await workbench.commandAndPick('Welcome: Open Walkthrough...', 'Go Back to Any Moment');
    await isDone('Record an Agent', true);
    await isDone('Look at Any Moment', false);
    await TimelinePage.open(workbench, 'echo done');
    await workbench.commandAndPick('Welcome: Open Walkthrough...', 'Go Back to Any Moment');
    await isDone('Look at Any Moment', true);
    await isDone('Branch from There', false);
  });
});
