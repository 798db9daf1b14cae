import assert from 'node:assert/strict';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

describe('a timeline whose parts can’t be loaded', function () {
  this.timeout(60_000);
  const pages = useTimelinePage();
  const records = recordsOf([60, 10], 'one');

  for (const missing of ['timeline.js', 'timeline.css']) {
    it(`says so without ${missing}, and offers to reload the window`, async () => {
      const { frame } = await pages.open(records, { missing: [missing] });
      const failure = frame.locator('.load-failure');
      await failure.waitFor();
      assert.match((await failure.textContent())!, /^Can’t load the timeline\./);
      const reload = failure.locator('a', { hasText: 'Reload' });
      assert.equal(await reload.getAttribute('href'), 'command:workbench.action.reloadWindow');
    });
  }

  it('shows nothing of it otherwise', async () => {
    const { frame } = await pages.open(records);
    assert.ok(await frame.locator('.load-failure').isHidden());
  });

  it('says that its thread has failed, and offers to reload the window', async () => {
    const timeline = await pages.open(records);
    const notice = timeline.frame.locator('.notice');
    timeline.setTrouble({ message: 'Can’t show the recording: no thread.', needsReload: true });
    await notice.locator('a', { hasText: 'Reload' }).waitFor();
    timeline.setTrouble({ message: null });
    await notice.waitFor({ state: 'hidden' });
  });
});
