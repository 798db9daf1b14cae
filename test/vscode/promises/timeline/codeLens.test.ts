import assert from 'node:assert/strict';
import { until } from '../../../support/ah.ts';
import { placeShortSession } from '../../harness/sessions/agentSession.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { look } from '../../harness/pages/look.ts';
import { TranscriptPage } from '../../harness/pages/transcriptPage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

/** Lenses of two prompts and two snapshots. */
const LENSES = 4;

describe('code lenses of a transcript', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  it('open a draft between its lines, name the snapshot, and dim the lines after it', async () => {
    const { sandbox } = journeyWorld();
    await placeShortSession(sandbox, workspace.folder, 'short session');
    const workbench = await workspace.open();
    await workbench.command('AH: Open Transcript');
    const transcript = new TranscriptPage(workbench);
    await transcript.shows('19 passed');
    // The agent's moments appear after its output.
    await until(
      async () => (await transcript.lens('Branch here').count()) === LENSES,
      'all lenses',
    );
    await transcript.lens('Branch here').nth(1).click();
    await transcript.title('from snapshot #11 “after Edit queue.ts”').waitFor();
    await until(() => transcript.isDimmed('19 passed'), 'what follows to be dimmed');
    assert.equal(await transcript.isDimmed('I will add a sleep.'), false);
    await transcript.write('Do not sleep, inject a clock');
    await look(workbench, 'draft');
    await transcript.branch();
    // The session has no files: the command fails, and the draft stays.
    await workbench.notification('').waitFor();
    await transcript.draft.locator('.comment-body', { hasText: 'inject a clock' }).waitFor();
    await transcript.discard();
    await until(async () => !(await transcript.isDimmed('19 passed')), 'it to be clear again');
  });
});
