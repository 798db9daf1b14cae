import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import { AhrPage } from '../../harness/pages/ahrPage.ts';
import { crashExtensionHosts, recordAgent } from '../../harness/pages/journeySteps.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { TranscriptPage } from '../../harness/pages/transcriptPage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

describe('a timeline whose extension host was killed', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  it('is replaced by AH: Open Timeline', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await TimelinePage.open(workbench, 'Claude Code');
    await crash(workbench);
    await workbench.command('AH: Open Timeline');
    await until(async () => (await tabs(workbench).count()) === 1, 'one tab', 20_000);
    const timeline = new TimelinePage(workbench);
    await timeline.shows('You said: again');
    await workbench.type('live\n');
    await timeline.shows('You said: live');
    assert.equal(await timeline.frame.locator('.lost').isVisible(), false);
    assert.equal(await tabs(workbench).count(), 1);
  });

  it('offers Reload and comes back, as an editor of a file and when it was hidden', async () => {
    const records = recordsOf([40, 5], 'by mail');
    writeFileSync(path.join(workspace.folder, 'mailed.ahr'), (await write(records)).bytes);
    const workbench = await workspace.open();
    await recordAgent(workbench);
    const own = await TimelinePage.open(workbench, 'Claude Code');
    await own.press('i');
    await workbench.page.keyboard.type('Use a queue');
    await AhrPage.open(workbench, 'mailed.ahr');
    const timeline = new TimelinePage(workbench);
    await until(async () => (await tabs(workbench).count()) === 2, 'two tabs');
    await timeline.shows('by mail');
    await crash(workbench);
    await reload(workbench);
    await timeline.shows('by mail');

    await tabs(workbench).filter({ hasText: 'Claude Code' }).click();
    await reload(workbench);
    await timeline.shows('You said: again');
    await timeline.press('i');
    const text = await timeline.frame.locator('.instruction textarea').inputValue();
    assert.equal(text, 'Use a queue');
    for (const name of ['Claude Code', 'mailed.ahr']) {
      assert.equal(await tabs(workbench).filter({ hasText: name }).count(), 1, name);
    }
    assert.equal(await tabs(workbench).count(), 2);
  });
});

describe('a transcript whose extension host was killed', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  it('grows again, with its draft', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.command('AH: Open Transcript');
    const transcript = new TranscriptPage(workbench);
    await transcript.lens('Branch here').first().click();
    await transcript.draft.locator('.monaco-editor.focused').waitFor();
    await workbench.page.keyboard.type('Use a queue');
    await workbench.hasKept(/draft\.[^\n]*Use a queue/);
    await crash(workbench);
    await transcript.shows('again');
    await transcript.title('“Session start”').waitFor();
    await transcript.draft.locator('.view-line', { hasText: 'Use a queue' }).waitFor();
    assert.equal(await transcript.draft.count(), 1);
  });
});

/** Kills the extension host and waits for the next one. */
async function crash(workbench: Workbench): Promise<void> {
  crashExtensionHosts();
  const gaveUp = workbench.notification('terminated unexpectedly');
  // Type until the new terminal replies; the dead one does not.
  await until(
    async () => {
      // VS Code restarts it by itself only twice in five minutes.
      if (await gaveUp.isVisible())
        await gaveUp.locator('.monaco-button', { hasText: 'Restart' }).click({ timeout: 5000 });
      await workbench.type('again\n').catch(() => {});
      return (await workbench.terminalText()).includes('You said: again');
    },
    'the terminal to answer',
    90_000,
  );
}

/** Clicks Reload and waits until the dead page has gone. */
async function reload(workbench: Workbench): Promise<void> {
  const notice = workbench
    .webview()
    .locator('.lost', { hasText: 'The extension does not answer.' });
  await notice.locator('a', { hasText: 'Reload' }).click({ timeout: 60_000 });
  await notice.waitFor({ state: 'hidden', timeout: 30_000 });
}

function tabs(workbench: Workbench) {
  return workbench.page.locator('.tabs-container .tab');
}
