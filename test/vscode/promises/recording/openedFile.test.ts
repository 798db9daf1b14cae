import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import { AhrPage } from '../../harness/pages/ahrPage.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('a recording from another machine', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  it('opens as a timeline, with or without a session', async () => {
    const records = recordsOf([40, 5], 'from a friend', '\r\x1b[Kby mail');
    writeFileSync(path.join(workspace.folder, 'mailed.ahr'), (await write(records)).bytes);
    const workbench = await workspace.open();
    await AhrPage.open(workbench, 'mailed.ahr');
    const timeline = new TimelinePage(workbench);
    await timeline.placed();
    assert.equal(await timeline.text(), 'by mail');
    assert.equal(await timeline.frame.locator('h1').innerText(), 'mailed.ahr');
    await timeline.press('j');
    assert.equal(await timeline.text(), 'from a friend');
  });
});
