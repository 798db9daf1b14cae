import assert from 'node:assert/strict';
import { until } from '../../../support/ah.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordAgent } from '../../harness/pages/journeySteps.ts';
import { look } from '../../harness/pages/look.ts';
import { OVERWRITTEN, recordPlans } from '../../harness/sessions/recordPlans.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { TranscriptPage } from '../../harness/pages/transcriptPage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('the transcript in VS Code', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  it('grows with a running session, and snapshots mark the terminal', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('first words\n');
    await workbench.terminalShows('You said: first words');
    const marks = workbench.page.locator('.terminal-wrapper.active .terminal-command-decoration');
    const before = await marks.count();
    await workbench.command('AH: Take Snapshot…');
    await workbench.answer('here');
    await until(async () => (await marks.count()) > before, 'a mark in the terminal', 20_000);
    await look(workbench, 'terminal-marks');
    await workbench.command('AH: Open Transcript');
    const transcript = new TranscriptPage(workbench);
    await transcript.shows('You said: first words');
    await transcript.shows('here');
    await workbench.type('second words\n');
    await transcript.shows('You said: second words');
  });

  it('puts the focus into the draft that a lens opens, completes files, and moves with its text', async () => {
    const { sandbox } = journeyWorld();
    await recordPlans(sandbox, workspace.folder, 'plans');
    const workbench = await workspace.open();
    const { page } = workbench;
    await TimelinePage.open(workbench, 'plans');
    await workbench.command('AH: Open Transcript');
    const transcript = new TranscriptPage(workbench);
    await transcript.lens('Branch here').first().click();
    await transcript.title('Branch from snapshot').waitFor();
    const input = transcript.draft.locator('.monaco-editor.focused');
    await input.waitFor();
    await page.keyboard.type('Use a queue');
    await transcript.draft.locator('.view-line', { hasText: 'Use a queue' }).waitFor();
    await page.keyboard.type(' in @pla');
    const suggestion = page.locator('.suggest-widget .monaco-list-row', { hasText: 'plan.txt' });
    await suggestion.waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('please');
    const text = 'Use a queue in @plan.txt please';
    await transcript.draft.locator('.view-line', { hasText: text }).waitFor();
    const place = await transcript.draftedLine();
    await transcript.lens('Branch here').nth(1).click();
    // Between the two there is none.
    const lineNow = () => transcript.draftedLine().catch(() => place);
    await until(async () => (await lineNow()) !== place, 'the draft elsewhere');
    await transcript.draft.locator('.view-line', { hasText: text }).waitFor();
    assert.equal(await transcript.draft.count(), 1);
    await workbench.hasKept(/draft\.[^\n]*Use a queue in @plan.txt please/);
  });

  it('is restored with its draft after a reload, and branches with it', async () => {
    const { sandbox } = journeyWorld();
    await recordPlans(sandbox, workspace.folder, 'plans');
    const workbench = await workspace.open();
    await TimelinePage.open(workbench, 'plans');
    await workbench.command('AH: Open Transcript');
    const transcript = new TranscriptPage(workbench);
    await transcript.lens('Branch here').first().click();
    await transcript.draft.locator('.monaco-editor.focused').waitFor();
    await workbench.page.keyboard.type('Use a queue');
    await workbench.hasKept(/draft\.[^\n]*Use a queue/);
    await workbench.hasKept(/serializedGrid.*ah-transcript/);
    const place = await transcript.draftedLine();
    await workbench.page.reload();
    await workbench.ready();
    await transcript.shows('The lock is too slow.');
    await transcript.title('“Session start”').waitFor();
    await transcript.draft.locator('.view-line', { hasText: 'Use a queue' }).waitFor();
    assert.equal(await transcript.draftedLine(), place);
    await until(() => transcript.isDimmed('The lock is too slow.'), 'what follows to be dimmed');
    await workbench.page.keyboard.press('Escape');
    await transcript.branch();
    await workbench.pick('Use a queue').waitFor();
    await workbench.page.keyboard.press('Escape');
    await transcript.discard();
    await workbench.hasKept(/^(?![^]*draft\.[^\n]*Use a queue)/);
    await workbench.page.reload();
    await workbench.ready();
    await transcript.shows('The lock is too slow.');
    await transcript.lens('Branch here').first().waitFor();
    assert.equal(await transcript.draft.count(), 0, 'a discarded draft stays away');
  });

  it('leads from overwritten text to the files of its moment, and to a branch', async () => {
    const { sandbox } = journeyWorld();
    await recordPlans(sandbox, workspace.folder, 'plans');
    const workbench = await workspace.open();
    const { page } = workbench;
    const timeline = await TimelinePage.open(workbench, 'plans');
    await timeline.shows('All done.');
    assert.ok(!(await timeline.text()).includes(OVERWRITTEN));
    await timeline.click(0.3);
    await timeline.press('/');
    await page.keyboard.type(OVERWRITTEN);
    await page.keyboard.press('Enter');
    await timeline.shows(OVERWRITTEN);
    await timeline.settled();
    await timeline.press('}');
    await look(workbench, 'timeline-found');
    await timeline.press('s');
    await workbench.pick('Add to This Workspace').waitFor();
    await page.keyboard.press('Escape');
    await workbench.command('AH: Open Transcript');
    const transcript = new TranscriptPage(workbench);
    await transcript.shows('The lock is too slow.');
    await transcript.openDraft('1 + a lock');
    await transcript.write('Use a queue');
    await transcript.branch();
    await workbench.pick('Use a queue').waitFor();
    await transcript.title('“first plan”').waitFor();
    await until(() => transcript.isDimmed('The lock is too slow.'), 'what follows to be dimmed');
    assert.equal(await transcript.isDimmed('Here is what I think.'), false);
    await look(workbench, 'branch-plan');
    const files = workbench.page.locator('.quick-input-list .monaco-list-row', {
      hasText: 'Files',
    });
    await files.filter({ hasText: 'first plan' }).waitFor();
    await page.keyboard.press('Escape');
    await transcript.draft.locator('.comment-body', { hasText: 'Use a queue' }).waitFor();
  });
});
