import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliFile, outputOf, readRecording } from '../../../support/ah.ts';
import { filesOnDisk, userGit } from '../../../support/git/gitWorkspace.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordCommand, sessionIn } from '../../harness/pages/journeySteps.ts';
import { isTold } from '../../harness/pages/notices.ts';
import { ReviewPage } from '../../harness/pages/reviewPage.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

const mockAgent = path.resolve(import.meta.dirname, '../../../mockAgent/main.ts');

/**
 * An agent that makes two plans, each with a snapshot, and waits. With a first message in a branch
 * it writes another file.
 */
function scenario(): object {
  const keep = `'${process.execPath}' '${cliFile}' agent fs snapshot --label`;
  const steps = [
    { write: { path: 'plan.txt', content: 'a lock\n' } },
    { run: `${keep} 'first plan'` },
    { text: 'now the second plan' },
    { write: { path: 'plan.txt', content: 'two locks\n' } },
    { run: `${keep} 'second plan'` },
    { input: 'What next? ' },
  ];
  const answer = [
    { message: 'You said "${prompt}".' },
    { write: { path: 'queue.txt', content: 'first in, first out\n' } },
    { input: 'And now? ' },
  ];
  return { name: 'plans', steps, answers: [{ steps: answer }] };
}

describe('from recording to apply', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  it('records an agent, reloads, branches from a moment, and applies the branch', async () => {
    const { folder } = workspace;
    await userGit(folder, 'init', '-q');
    writeFileSync(path.join(folder, 'plan.txt'), 'none\n');
    await userGit(folder, 'add', '.');
    await userGit(folder, 'commit', '-qm', 'first');
    const scenarioFile = path.join(journeyWorld().root, 'plans.json');
    writeFileSync(scenarioFile, JSON.stringify(scenario()));

    const workbench = await workspace.open();
    const program = `'${process.execPath}' '${mockAgent}' '${scenarioFile}'`;
    await recordCommand(workbench, `${program} --dir "$PWD" --speed 0`);
    await workbench.terminalShows('What next?', 60_000);
    const { meta } = await sessionIn(folder);
    assert.equal(meta.state, 'running');
    assert.equal(readFileSync(path.join(folder, 'plan.txt'), 'utf8'), 'two locks\n');

    await workbench.page.reload();
    await workbench.ready();
    await workbench.terminalShows('What next?', 60_000);
    const before = filesOnDisk(folder);

    await workbench.command('AH: Open Timeline');
    const timeline = new TimelinePage(workbench);
    await timeline.placed();
    await timeline.frame.locator('.moment-go', { hasText: 'first plan' }).first().click();
    await timeline.settled();
    assert.doesNotMatch(await timeline.text(), /second plan/, 'what came later is not shown');
    await timeline.instruct('use a queue instead');
    const [page] = await Promise.all([
      workbench.page.context().waitForEvent('page'),
      workbench.pick('Branch in a New Window').click(),
    ]);
    const branch = new Workbench(page);
    await branch.ready();
    await branch.terminalShows('You said "use a queue instead".', 120_000);
    await branch.terminalShows('And now?', 60_000);
    const branchFolder = path.join(`${folder}.branches`, 'use-a-queue-instead');
    const contentOf = (name: string) => readFileSync(path.join(branchFolder, name), 'utf8');
    assert.equal(contentOf('plan.txt'), 'a lock\n', 'the files of that moment');
    assert.equal(contentOf('queue.txt'), 'first in, first out\n', 'and what the agent did then');
    assert.deepEqual(filesOnDisk(folder), before, 'the original is as it was');

    await workbench.page.bringToFront();
    await workbench.commandAndPick('AH: Apply Branch to Original…', 'use-a-queue-instead');
    const review = new ReviewPage(workbench);
    await review.shows('Apply 1 of 1 Changes');
    assert.ok(!existsSync(path.join(folder, 'queue.txt')), 'nothing happens before the answer');
    await review.row('Apply 1 of 1').click();
    await workbench.notification('Applied 1 file of “use-a-queue-instead”.').waitFor();
    const applied = readFileSync(path.join(folder, 'queue.txt'), 'utf8');
    assert.equal(applied, 'first in, first out\n');
    assert.equal(readFileSync(path.join(folder, 'plan.txt'), 'utf8'), 'two locks\n');

    // The window of the branch undoes it, too.
    await branch.page.bringToFront();
    await branch.command('AH: Undo Restore or Apply…');
    const undo = new ReviewPage(branch);
    await undo.shows('Apply 1 of 1 Changes');
    assert.ok((await undo.message()).includes(`Changes files in ${folder}.`));
    await undo.row('Apply 1 of 1').click();
    await isTold(branch, 'Undone: Apply “use-a-queue-instead”. Reverted 1 file.');
    assert.ok(!existsSync(path.join(folder, 'queue.txt')));

    await branch.page.close();
    assert.equal((await sessionIn(folder)).meta.state, 'running', 'the original still runs');
    const output = outputOf((await readRecording(meta.recording)).records).toString();
    assert.equal(output.split('What next?').length, 2, 'once in the recording');
  });
});
