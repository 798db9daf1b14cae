import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../../support/ah.ts';
import { recordCommand } from '../../harness/pages/journeySteps.ts';
import { look } from '../../harness/pages/look.ts';
import { ReviewPage } from '../../harness/pages/reviewPage.ts';
import { run, takeSnapshot } from '../../harness/pages/shellSteps.ts';
import { startRepository } from '../../harness/sessions/recordChanges.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

/** More files than any side bar of this height shows. */
const FILES = 40;
/** Themes and their CSS classes; the last is the one that other journeys expect. */
const THEMES = [
  { name: 'light', label: 'Light Modern', drawn: '.vs' },
  { name: 'high-contrast', label: 'Dark High Contrast', drawn: '.hc-black' },
  { name: 'dark', label: 'Dark Modern', drawn: '.vs-dark' },
];

describe('the review of many files', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();
  const fileOf = (name: string) => path.join(workspace.folder, name);

  beforeEach(() => startRepository(workspace.folder));

  it('shows their check boxes and its buttons beside an open panel', async () => {
    const workbench = await workspace.open();
    const { page } = workbench;
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 1280, height: 720 });
    await workbench.showViews();
    await recordCommand(workbench, 'bash --norc');
    await run(workbench, 'true');
    for (let each = 10; each < 10 + FILES; each++) writeFileSync(fileOf(`file${each}.ts`), 'new\n');
    await takeSnapshot(workbench, 'all files');
    await workbench.commandAndPick('AH: Restore Workspace to Snapshot…', 'Session start');
    const review = new ReviewPage(workbench);
    await review.shows(`Apply ${FILES} of ${FILES} Changes`);
    assert.ok(await page.locator('.part.panel').isVisible(), 'the panel is open');
    await until(async () => (await review.visibleCheckBoxes()) >= 8, 'eight check boxes');
    for (const { name, label, drawn } of THEMES) {
      await workbench.command('Preferences: Color Theme');
      await workbench.pick('Modern').waitFor();
      await workbench.answer(label);
      await page.locator(`.monaco-workbench${drawn}`).waitFor();
      await look(workbench, `review-${name}`);
    }

    await review.scrollToEnd();
    await review.checkBox(`file${9 + FILES}`).click();
    await review.button('Cancel Review').waitFor();
    await review.button('Apply Reviewed Changes').click();
    await workbench.notification(`Restored ${FILES - 1} files`).waitFor();
    assert.equal(readFileSync(fileOf(`file${9 + FILES}.ts`), 'utf8'), 'new\n', 'not checked');
    await review.isHidden();
    // The list of sessions, which was visible before, is visible again.
    await page.locator('.part.sidebar .monaco-list-row', { hasText: 'bash' }).first().waitFor();
    await page.setViewportSize(size);
  });
});
