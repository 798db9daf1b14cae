import assert from 'node:assert/strict';
import { cliFile } from '../../../support/ah.ts';
import { runInPty } from '../../../support/terminal/ptyRun.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordCommand, sessionIn } from '../../harness/pages/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('the extension when it is disabled', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  it('leaves an agent running for any terminal, and shows it again when enabled', async () => {
    const workbench = await workspace.open();
    await recordCommand(workbench, 'echo still here; exec cat');
    await workbench.terminalShows('still here');
    const { page } = workbench;
    const icon = page.locator('.activitybar .action-label[aria-label^="AH Time Travel"]');
    const restart = page.locator('.part.sidebar').getByText('Reload Window', { exact: true });

    await workbench.command('Extensions: Disable All Installed Extensions for this Workspace');
    await page.keyboard.press('Control+Shift+X');
    await Promise.all([page.waitForEvent('load'), restart.click()]);
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    // The view remains until VS Code notices that it has no provider.
    await icon.waitFor({ state: 'detached' });

    const { meta } = await sessionIn(workspace.folder);
    assert.equal(meta.state, 'running');
    const { env } = journeyWorld().sandbox;
    const attach = [cliFile, 'agent', 'attach', meta.id];
    const terminal = runInPty(process.execPath, attach, { cwd: workspace.folder, env });
    await terminal.waitFor('still here');
    terminal.pty.write('\u001d');
    assert.equal((await terminal.ended).exitCode, 0);

    await workbench.command('Extensions: Enable All Extensions for this Workspace');
    await workbench.ready();
    await workbench.terminalShows('still here');
  });
});
