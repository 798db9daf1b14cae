import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { until } from '../../../support/ah.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { crashExtensionHosts, recordAgent, sessionIn } from '../../harness/pages/journeySteps.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

const LINES = 400;

describe('a running session', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  it('comes back with its scrollback after a reload and after closing the window', async () => {
    const first = await workspace.open();
    await recordAgent(first);
    await first.type(`count ${LINES}\n`);
    await first.terminalShows('line 000400');
    await first.page.reload();
    await first.ready();
    const expected = Array.from({ length: LINES }, (_, i) => `line ${`${i + 1}`.padStart(6, '0')}`);
    await showsLines(first, expected);
    await first.page.close();
    const second = await workspace.open();
    await showsLines(second, expected);
    await second.type('still there?\n');
    await second.terminalShows('You said: still there?');
  });

  async function showsLines(workbench: Workbench, expected: readonly string[]): Promise<void> {
    await workbench.terminalShows(expected.at(-1)!);
    const lines = (await workbench.terminalBuffer()).match(/^line \d+/gm) ?? [];
    assert.deepEqual(lines, expected);
  }

  it('comes back beside a shell of the same name', async () => {
    const workbench = await workspace.open();
    await workbench.command('Terminal: Create New Terminal');
    await workbench.terminalShows(path.basename(workspace.folder));
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'ah-alive-')), 'alive');
    await workbench.type(`while sleep 0.1 && touch ${file}; do :; done &\n`);
    await workbench.commandAndPick('AH: Record Agent', 'Default Shell');
    await until(async () => (await workbench.terminalTabs().count()) === 2, 'two terminals');
    // A shell may garble input before its prompt.
    const hasPrompt = async () => {
      const text = await workbench.terminalText();
      return text.includes(path.basename(workspace.folder)) && !text.includes('alive');
    };
    await until(hasPrompt, 'the prompt of the recorded shell', 30_000);
    await workbench.type('echo "$((6 * 7)) recorded"\n');
    await workbench.terminalShows('42 recorded');
    await workbench.page.reload();
    await workbench.ready();
    await workbench.terminalShows('42 recorded');
    const isThere = async () => (await workbench.terminalTabs().count()) === 2;
    await until(isThere, 'the other shell to be there too', 30_000);
    rmSync(file);
    await until(() => existsSync(file), 'a sign of life of it');
    // The loop ends when it can no longer write.
    rmSync(path.dirname(file), { recursive: true });
  });

  it('comes back after a crash of the extension host, in one terminal', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('before\n');
    await workbench.terminalShows('You said: before');
    crashExtensionHosts();
    const { id } = (await sessionIn(workspace.folder)).meta;
    // Type until the new terminal replies; the dead one does not.
    await until(
      async () => {
        await workbench.type('again\n').catch(() => {});
        return (await workbench.terminalText()).includes('You said: again');
      },
      'the terminal to answer',
      90_000,
    );
    assert.ok((await workbench.terminalTabs().count()) <= 1, 'no dead terminal is left');
    assert.equal((await sessionIn(workspace.folder)).meta.id, id);
  });

  it('gets its timeline back after a crash of the extension host, in the same tab', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.command('AH: Open Timeline');
    const timeline = new TimelinePage(workbench);
    await timeline.shows('Fake agent ready');
    crashExtensionHosts();
    // Type until the new terminal replies; the dead one does not.
    await until(
      async () => {
        await workbench.type('again\n').catch(() => {});
        return (await workbench.terminalText()).includes('You said: again');
      },
      'the terminal to answer',
      90_000,
    );
    const reload = workbench.webview().locator('.lost a', { hasText: 'Reload' });
    await reload.click({ timeout: 60_000 });
    await timeline.shows('You said: again');
    await workbench.command('AH: Open Timeline');
    assert.equal(await workbench.page.locator('.tabs-container .tab').count(), 1);
  });

  it('is shown and used by several windows at once', async () => {
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

    const third = await workspace.openAsOneOfSeveral();
    await third.command('AH: Open Session Terminal');
    await third.terminalShows('You said: and back');
    for (const window of [third, second]) {
      await window.command('Terminal: Kill the Active Terminal Instance');
      await window.notification('is still running').waitFor();
    }
    const { folder } = await sessionIn(workspace.folder);
    const isNoted = async () => (await readSessionNotes(folder)).shownIn?.length === 1;
    await until(isNoted, 'the first window to be noted');
    await first.page.reload();
    await first.ready();
    await first.terminalShows('You said: and back');
  });

  it('keeps running when its tab is closed, and can be shown again', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('remember\n');
    await workbench.terminalShows('You said: remember');
    await workbench.command('Terminal: Kill the Active Terminal Instance');
    const notice = workbench.notification('is still running');
    await notice.waitFor();
    const { folder, meta } = await sessionIn(workspace.folder);
    assert.equal(meta.state, 'running');
    assert.deepEqual((await readSessionNotes(folder)).shownIn, [], 'announced after it was noted');

    await workbench.page.reload();
    await workbench.ready();
    await workbench.page.locator('.statusbar-item', { hasText: 'Claude Code' }).waitFor();
    // VS Code may open the panel again with a shell, if it could not save that the panel was
    // closed.
    const terminals = await workbench.page.locator('.terminal-wrapper').allTextContents();
    assert.doesNotMatch(terminals.join('\n'), /Fake|said/, 'stays closed');
    await workbench.command('AH: Open Session Terminal');
    await workbench.terminalShows('You said: remember');
    await workbench.command('AH: Stop Session');
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Stop' }).click();
    await workbench.terminalShows('Recorded. Stopped.');
  });

  it('stops from the notice that names it, without another question', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.command('Terminal: Kill the Active Terminal Instance');
    const notice = workbench.notification('“Claude Code” is still running and being recorded.');
    await notice.waitFor();
    await notice.hover(); // Notifications stay while the pointer is on them.
    await notice.locator('.monaco-button', { hasText: 'Stop' }).click();
    const isStopped = async () => {
      const { state, stoppedByUser } = (await sessionIn(workspace.folder)).meta;
      return state === 'finished' && stoppedByUser === true;
    };
    await until(isStopped, 'the end of the session');
    assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
  });

  it('leaves no process or file behind when it has ended', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('bye\n');
    await workbench.terminalShows('Ended with exit code 3');
    await journeyWorld().sandbox.settled();
  });
});
