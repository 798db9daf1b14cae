import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInPty, type PtyRun } from '../../../support/terminal/ptyRun.ts';
import { comparesFiles } from '../../harness/sessions/recordChanges.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { ADDRESS, useDemo } from '../../harness/useDemo.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../../..');

describe('npm start', function () {
  this.timeout(300_000);
  let terminal: PtyRun | undefined;
  // A failed test leaves the demo running, which ends as a user would end it.
  afterEach(async () => {
    terminal?.pty.write('\u0003');
    await terminal?.ended;
  });
  const demo = useDemo();

  it('shows an agent that goes wrong, branches before that, and ends cleanly with Ctrl-C', async () => {
    const env = demo.environment({ AH_DEMO_SPEED: '4' });
    terminal = runInPty('npm', ['start'], { cwd: projectFolder, env });
    await terminal.waitFor(ADDRESS);
    await terminal.waitFor('Ctrl-C here ends');
    const workbench = await demo.open(terminal.output().toString().match(ADDRESS)![0]);
    await workbench.terminalShows('Run the tests 200 times?', 60_000);
    await workbench.type('y');

    // The timeline opened beside the terminal by itself.
    const timeline = new TimelinePage(workbench);
    await timeline.placed();
    await timeline.assertBesideTerminal();
    await workbench.terminalShows('Type an instruction', 120_000);

    // One click shows what the whole turn changed: it took back its edit of the test.
    const turn = timeline.frame.locator('.moment.kind-prompt').first();
    await turn.hover();
    await turn.locator('[aria-label="Show changes of this turn"]').click();
    await comparesFiles(workbench.page, ['pool.js']);
    await workbench.command('View: Close Editor');

    const moment = timeline.frame.locator('.moment-go', { hasText: 'The quickest way to green' });
    await moment.first().click();
    await timeline.settled();
    assert.match(await timeline.text(), /relax the test/);
    assert.doesNotMatch(await timeline.text(), /All green/, 'what came later is not shown');
    await timeline.instruct('Fix the pool');
    const [page] = await Promise.all([
      workbench.page.context().waitForEvent('page'),
      workbench.pick('Branch in a New Window').click(),
    ]);
    const branch = new Workbench(page);
    await branch.ready();
    await branch.terminalShows('Done, without touching the test', 120_000);

    // The branch's window says where the branch comes from, and shows only the user's files.
    const origin = new TimelinePage(branch).frame.locator('.origin');
    await origin.waitFor();
    assert.match(await origin.innerText(), /^branch of .+ at \d/);
    await branch.command('View: Show Explorer');
    await branch.explorerRow('README.md').waitFor();
    assert.equal(await branch.explorerRow('.ah').count(), 0);
    const branchFolder = path.join(demo.root(), 'pool.branches/fix-the-pool');
    const contentOf = (file: string) => readFileSync(path.join(branchFolder, file), 'utf8');
    assert.match(contentOf('test/pool.test.js'), /deepEqual\(results, numbers\)/, 'as it was then');
    assert.match(contentOf('src/pool.js'), /results\[index\] = await/, 'and what the agent did');
    await branch.page.context().close();
    terminal.pty.write('\u0003');
    const { exitCode } = await terminal.ended;
    assert.equal(exitCode, 0, terminal.output().toString());
    await demo.leavesNothing();
  });
});
