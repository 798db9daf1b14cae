import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../../src/branching/node/branchRegistry.ts';
import { until } from '../../../support/ah.ts';
import { filesOnDisk, userGit } from '../../../support/git/gitWorkspace.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { PLANS_NAME, recordTwoPlans } from '../../harness/sessions/recordTwoPlans.ts';
import { comparesFiles, showsNoRenames, tab } from '../../harness/sessions/recordChanges.ts';
import { isTold } from '../../harness/pages/notices.ts';
import { ReviewPage } from '../../harness/pages/reviewPage.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

describe('branching', function () {
  this.timeout(400_000);
  const workspace = useWorkspace();

  async function newWindow(workbench: Workbench, act: () => Promise<void>): Promise<Workbench> {
    const [page] = await Promise.all([workbench.page.context().waitForEvent('page'), act()]);
    const opened = new Workbench(page);
    await opened.ready();
    return opened;
  }

  it('starts from a moment of the timeline; the agent resumes in a new window', async () => {
    const { sandbox } = journeyWorld();
    const parent = await recordTwoPlans(journeyWorld().sandbox, workspace.folder);
    const before = filesOnDisk(workspace.folder);
    const workbench = await workspace.open();
    const timeline = await TimelinePage.open(workbench, PLANS_NAME);
    const moment = timeline.frame.locator('.moment-go', { hasText: 'first plan' }).first();
    await moment.click({ button: 'right' });
    await workbench.chooseFromMenu('Branch Here…');
    await timeline.writeInstruction('use a queue instead');
    const dialog = workbench.page.locator('.quick-input-widget');
    for (const text of [
      'first plan',
      'use-a-queue-instead',
      'a git worktree',
      'starts a new conversation',
    ]) {
      await dialog.locator('.monaco-list-row', { hasText: text }).first().waitFor();
    }
    const branch = await newWindow(workbench, () =>
      workbench.pick('Branch in a New Window').click(),
    );
    await branch.terminalShows('You said "use a queue instead".', 120_000);
    await branch.terminalShows('What next?', 60_000);

    const folder = path.join(`${workspace.folder}.branches`, 'use-a-queue-instead');
    assert.ok(branch.page.url().includes(encodeURI(folder)), branch.page.url());
    assert.equal(readFileSync(path.join(folder, 'plan.txt'), 'utf8'), 'a lock\nno, a queue\n');
    assert.deepEqual(filesOnDisk(workspace.folder), before, 'the original is as it was');
    const [record] = await new BranchRegistry(path.join(sandbox.folder, 'branches')).list();
    const { meta } = await sandbox.catalogue.get(record!.id);
    assert.equal(meta.branchOf?.fromSessionId, parent);

    // The explorer marks what changed in the branch, by a letter after the name.
    await branch.page.bringToFront();
    await branch.command('View: Show Explorer');
    const letter = (): Promise<string> =>
      branch
        .explorerRow('plan.txt')
        .locator('.monaco-icon-label')
        .evaluate(
          (label) =>
            (globalThis as unknown as PageWindow).getComputedStyle(label, '::after').content,
        );
    await until(async () => (await letter()).includes('B'), 'the mark of a changed file', 60_000);

    // The original's window lists the branch as running: its parent has ended.
    await workbench.page.bringToFront();
    await workbench.showViews();
    const row = workbench.page.locator('.pane-body .monaco-list-row', { hasText: record!.name });
    await row.waitFor();
    assert.equal(await row.getAttribute('aria-level'), '2');
    assert.match(await row.innerText(), /branch of/);
    await timeline.frame.locator('.lane', { hasText: record!.name }).waitFor();
    await branch.page.bringToFront();
    await branch.command('AH: Go to Moment in Original');
    const back = new TimelinePage(branch);
    await back.placed();
    assert.equal(await back.byteOffset(), meta.branchOf?.fromByte);

    // Go from the original to its branches.
    await workbench.page.bringToFront();
    await workbench.commandAndPick('AH: Show Branches…', 'use-a-queue-instead');
    await workbench.page
      .locator('.tabs-container .tab', { hasText: 'use-a-queue-instead' })
      .waitFor();
  });

  it('starts from a chosen snapshot, in the same window if chosen', async () => {
    await recordTwoPlans(journeyWorld().sandbox, workspace.folder);
    const workbench = await workspace.openAsOneOfSeveral();
    await workbench.commandAndPick('AH: Branch Here…', 'first plan');
    await workbench.page
      .locator('.quick-input-widget', { hasText: 'agent’s first message' })
      .waitFor();
    await workbench.answer('stay here');
    await workbench.pick('Branch in This Window').click();
    await workbench.terminalShows('You said "stay here".', 120_000);
    await workbench.explorerRow('stay-here').waitFor();
    const plan = path.join(`${workspace.folder}.branches`, 'stay-here', 'plan.txt');
    await until(() => readFileSync(plan, 'utf8') === 'a lock\nno, a queue\n', 'the agent’s work');
  });

  it('applies a branch after a review, and discards it after listing losses', async () => {
    const { sandbox } = journeyWorld();
    const at = (name: string) => path.join(workspace.folder, name);
    const lines = (first: string, last: string) => `${first}\n\nin between\n\n${last}\n`;
    writeFileSync(at('notes.txt'), lines('first', 'last'));
    const session = await recordTwoPlans(journeyWorld().sandbox, workspace.folder);
    const { stderr, exitCode } = await sandbox.run(
      ...['agent', 'branch', '--session', session, '--snapshot', '2', '--name', 'queue'],
      ...['--no-launch', '--json'],
    );
    assert.equal(exitCode, 0, stderr);
    const folder = path.join(`${workspace.folder}.branches`, 'queue');
    writeFileSync(path.join(folder, 'queue.txt'), 'first in, first out\n');
    writeFileSync(path.join(folder, 'plan.txt'), 'no lock at all\n');
    writeFileSync(path.join(folder, 'notes.txt'), lines('first', 'of the branch'));
    writeFileSync(at('notes.txt'), lines('of the original', 'last'));
    const workbench = await workspace.open();
    await workbench.commandAndPick('AH: Apply Branch to Original…', 'queue');
    const review = new ReviewPage(workbench);
    await review.shows('Apply 2 of 2 Changes');
    // The changes are shown before the answer, without renames and without the conflict.
    await workbench.page.locator('.tabs-container .tab', { hasText: 'Apply “queue”' }).waitFor();
    await comparesFiles(workbench.page, ['notes.txt', 'queue.txt']);
    await showsNoRenames(workbench.page);
    assert.match(await review.row('plan.txt').innerText(), /conflict/);
    assert.equal(await review.checkBox('plan.txt').count(), 0, 'it can’t be applied');
    assert.match(await review.row('queue.txt').innerText(), /new/);
    assert.match(await review.row('notes.txt').innerText(), /merged/);
    await review.row('notes.txt').click();
    await tab(workbench.page, 'notes.txt (now ↔ merged)').waitFor();
    const merged = workbench.page.locator('.editor-instance .editor.modified .view-lines');
    const text = async () => (await merged.first().innerText()).replaceAll('\u00a0', ' ');
    await until(async () => (await text()).includes('of the branch'), 'the branch’s line');
    assert.match(await text(), /of the original/, 'the line stays');
    assert.ok(!existsSync(at('queue.txt')), 'nothing happens before the answer');
    await review.row('plan.txt').click();
    await tab(workbench.page, 'plan.txt (conflict: yours ↔ branch)').waitFor();
    const original = filesOnDisk(workspace.folder);
    await review.row('Apply 2 of 2').click();
    const notice = workbench.notification('Applied 2 files of “queue”.');
    await notice.waitFor();
    await notice.hover(); // Notifications stay while the pointer is on them.
    assert.equal(readFileSync(at('queue.txt'), 'utf8'), 'first in, first out\n');
    assert.equal(readFileSync(at('notes.txt'), 'utf8'), lines('of the original', 'of the branch'));
    assert.equal(readFileSync(at('plan.txt'), 'utf8'), 'two locks\n');
    await notice.locator('.monaco-button', { hasText: 'Undo Apply' }).click();
    await isTold(workbench, 'Undone: Apply “queue”. Reverted 2 files.');
    assert.deepEqual(filesOnDisk(workspace.folder), original);

    const dialog = workbench.page.locator('.monaco-dialog-box');
    await workbench.commandAndPick('AH: Discard Branch…', 'queue');
    await dialog.locator('.dialog-message-detail', { hasText: 'queue.txt' }).waitFor();
    await dialog.locator('.monaco-button', { hasText: 'Discard' }).click();
    await until(() => !existsSync(folder), 'the folder to be gone', 20_000);
    const { stdout } = await sandbox.run('agent', 'branches', '--session', session);
    assert.match(stdout.toString(), /No branches yet/);
  });

  it('merges the commits of a branch', async () => {
    const { sandbox } = journeyWorld();
    const session = await recordTwoPlans(sandbox, workspace.folder);
    await userGit(workspace.folder, 'commit', '-qam', 'two locks');
    await userGit(workspace.folder, 'config', 'user.name', 'A');
    await userGit(workspace.folder, 'config', 'user.email', 'a@example.com');
    const { stderr, exitCode } = await sandbox.run(
      ...['agent', 'branch', '--session', session, '--snapshot', '2', '--name', 'topic'],
      ...['--no-launch', '--json'],
    );
    assert.equal(exitCode, 0, stderr);
    const folder = path.join(`${workspace.folder}.branches`, 'topic');
    writeFileSync(path.join(folder, 'topic.txt'), 'done\n');
    await userGit(folder, 'checkout', '-q', '--', 'plan.txt');
    await userGit(folder, 'add', 'topic.txt');
    await userGit(folder, 'commit', '-qm', 'the topic');
    const workbench = await workspace.open();
    await workbench.commandAndPick('AH: Apply Branch to Original…', 'topic');
    await workbench.pick('the topic').click();
    await workbench.notification('Merged “topic”').waitFor();
    const merged = path.join(workspace.folder, 'topic.txt');
    assert.equal(readFileSync(merged, 'utf8'), 'done\n');
    assert.equal(readFileSync(path.join(workspace.folder, 'plan.txt'), 'utf8'), 'two locks\n');
  });
});

interface PageWindow {
  getComputedStyle: (element: unknown, pseudo: string) => { readonly content: string };
}
