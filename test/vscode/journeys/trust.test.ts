import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { AhSandbox } from '../../support/ah.ts';
import { EditorServer } from '../harness/editorServer.ts';
import { ensureServer } from '../harness/installServer.ts';
import { journeyWorld } from '../harness/journeyHooks.ts';
import { recordCommand } from '../harness/journeySteps.ts';
import { Workbench } from '../harness/workbench.ts';

describe('a folder that is not trusted', function () {
  this.timeout(180_000);
  let root: string;
  let workspace: string;
  let sandbox: AhSandbox;
  let server: EditorServer;
  let context: BrowserContext;

  before(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'ah-u-'));
    workspace = path.join(root, 'workspace');
    mkdirSync(workspace);
    sandbox = new AhSandbox(path.join(root, 'ah'));
    const { recording } = await sandbox.launch(['/bin/echo', 'from somebody else']);
    await sandbox.settled();
    cpSync(recording, path.join(workspace, 'theirs.ahr'));
    server = await EditorServer.start({
      ...{ serverFolder: ensureServer(), root, isDriven: false, extension: 'linked' },
      ...{ asksForTrust: true, env: { AH_DATA_DIR: sandbox.folder } },
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
      },
    });
    context = await journeyWorld().browser.newContext();
  });
  after(async () => {
    await context.close();
    await server.stop();
    await sandbox.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  it('lets recordings be read, refuses to record in a sentence, and records once it is trusted', async () => {
    const page = await context.newPage();
    await page.goto(server.folderUrl(workspace));
    const workbench = new Workbench(page);
    await workbench.ready();
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();

    await page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'theirs.ahr' }).dblclick();
    await workbench.webview().locator('body', { hasText: 'from somebody else' }).waitFor();

    await workbench.command('AH: Record Agent');
    await workbench.notification('trust it first').waitFor();
    assert.equal((await sandbox.catalogue.list()).length, 1, 'nothing was recorded');

    await workbench.command('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
    await page
      .locator('.statusbar-item', { hasText: 'Restricted Mode' })
      .waitFor({ state: 'hidden' });
    await recordCommand(workbench, 'echo trusted now');
    await workbench.terminalShows('trusted now');
    await workbench.terminalShows('Ended with exit code 0');
  });
});
