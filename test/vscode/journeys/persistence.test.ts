import assert from 'node:assert/strict';
import { until } from '../../support/ah.ts';
import { journeyWorld } from '../harness/journeyHooks.ts';
import { crashExtensionHosts, recordAgent, sessionIn } from '../harness/journeySteps.ts';
import { useWorkspace } from '../harness/useWorkspace.ts';

const LINES = 400;

describe('a running session', function () {
  this.timeout(120_000);
  const workspace = useWorkspace();

  it('comes back after a reload with its scrollback, and with what came meanwhile', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type(`count ${LINES}\n`);
    await workbench.terminalShows('line 000400');
    await workbench.page.reload();
    await workbench.ready();
    await workbench.terminalShows('line 000400');
    const lines = (await workbench.terminalBuffer()).match(/^line \d+/gm) ?? [];
    const expected = Array.from({ length: LINES }, (_, i) => `line ${`${i + 1}`.padStart(6, '0')}`);
    assert.deepEqual(lines, expected);
  });

  it('comes back after a crash of the extension host, in one terminal', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('before\n');
    await workbench.terminalShows('You said: before');
    crashExtensionHosts();
    const { id } = (await sessionIn(workspace.folder)).meta;
    // A new terminal answers; the one left behind never would.
    await until(
      async () => {
        await workbench.type('again\n').catch(() => {});
        return (await workbench.terminalText()).includes('You said: again');
      },
      'the terminal to answer',
      30_000,
    );
    assert.ok((await workbench.terminalTabs().count()) <= 1, 'no dead terminal is left');
    assert.equal((await sessionIn(workspace.folder)).meta.id, id);
  });

  it('is watched by two windows, and both can type', async () => {
    const first = await workspace.open();
    await recordAgent(first);
    await first.type('from the first\n');
    await first.terminalShows('You said: from the first');
    const second = await workspace.open();
    await second.terminalShows('You said: from the first');
    await second.type('from the second\n');
    await second.terminalShows('You said: from the second');
    await first.terminalShows('You said: from the second');
    await first.type('and back\n');
    await second.terminalShows('You said: and back');
  });

  it('lives on when its tab is closed, and is brought back from there', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('remember\n');
    await workbench.terminalShows('You said: remember');
    await workbench.command('Terminal: Kill the Active Terminal Instance');
    const notice = workbench.notification('keeps running');
    await notice.waitFor();
    assert.equal((await sessionIn(workspace.folder)).meta.state, 'running');

    await workbench.page.reload();
    await workbench.ready();
    await workbench.page.locator('.statusbar-item', { hasText: 'Claude Code' }).waitFor();
    assert.equal(await workbench.page.locator('.terminal-wrapper').count(), 0, 'stays closed');
    await workbench.command('AH: Show Running Session');
    await workbench.terminalShows('You said: remember');
    await workbench.command('AH: Stop Session');
    await workbench.terminalShows('Ended by signal');
  });

  it('leaves nothing behind once it has ended', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('bye\n');
    await workbench.terminalShows('Ended with exit code 3');
    await journeyWorld().sandbox.settled();
  });
});
