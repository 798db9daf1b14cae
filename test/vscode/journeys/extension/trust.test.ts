import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { BranchRecord } from '../../../../src/branching/common/branchRecord.ts';
import { relaunch } from '../../../../src/branching/node/memory/agentMemory.ts';
import { BranchRegistry } from '../../../../src/branching/node/branchRegistry.ts';
import { makeBranch } from '../../../../src/branching/node/make/makeBranch.ts';
import { planBranch } from '../../../../src/branching/node/plan/planBranch.ts';
import type { SessionFiles } from '../../../../src/snapshots/node/list/sessionFiles.ts';
import { AhSandbox } from '../../../support/ah.ts';
import { placeBranchable } from '../../../support/branching/branchableSession.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';
import { EditorServer } from '../../harness/editor/editorServer.ts';
import { ensureServer } from '../../harness/editor/installServer.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordCommand } from '../../harness/pages/journeySteps.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

describe('an untrusted folder', function () {
  this.timeout(300_000);
  let root: string;
  let workspace: string;
  let sandbox: AhSandbox;
  let server: EditorServer;
  let context: BrowserContext;
  let projects = 0;

  before(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'ah-u-'));
    workspace = path.join(root, 'workspace');
    mkdirSync(workspace);
    sandbox = new AhSandbox(path.join(root, 'ah'));
    const { recording } = await sandbox.launch(['/bin/echo', 'from somebody else']);
    await sandbox.settled();
    cpSync(recording, path.join(workspace, 'theirs.ahr'));
    server = await EditorServer.start({
      serverFolder: ensureServer(),
      root,
      isDriven: false,
      extension: 'linked',
      asksForTrust: true,
      env: { AH_DATA_DIR: sandbox.folder },
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

  it('opens recordings, refuses to record, and records once trusted', async () => {
    const page = await context.newPage();
    await page.goto(server.folderUrl(workspace));
    const workbench = new Workbench(page);
    await workbench.ready();
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();

    await page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'theirs.ahr' }).dblclick();
    await workbench.webview().locator('body', { hasText: 'from somebody else' }).waitFor();

    await workbench.command('AH: Record Agent');
    await workbench.notification('Trust this workspace first').waitFor();
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

  it('refuses to branch, and starts the agent of a branch once trusted', async () => {
    const files = await branchable();
    const { id, workspace: folder } = await waitingBranch(files, 'first');
    const workbench = await open(folder);
    await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench.notification('Trust this folder to start the agent').waitFor();
    await workbench.command('AH: Branch Here…');
    await workbench.notification('Trust this workspace first').waitFor();
    const sessions = await sandbox.catalogue.list();
    assert.ok(!sessions.some(({ meta }) => meta.id === id), 'nothing was started');
    await workbench.command('Workspaces: Manage Workspace Trust');
    await workbench.page
      .locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ })
      .click();
    await workbench.terminalShows('it runs in first', 60_000);
    await files.dispose();
  });

  it('has trusted branches if its parent folder is trusted', async () => {
    const files = await branchable();
    // Asks about trust when a folder is first opened, as the desktop does.
    const settings = path.join(root, 'data/User/settings.json');
    const values = JSON.parse(readFileSync(settings, 'utf8')) as Record<string, unknown>;
    const prompt = { 'security.workspace.trust.startupPrompt': 'once' };
    writeFileSync(settings, JSON.stringify({ ...values, ...prompt }));
    const original = await open(files.workspace);
    const dialog = original.page.locator('.monaco-dialog-box');
    await dialog.locator('.dialog-checkbox-row .monaco-checkbox').click();
    await dialog.locator('.monaco-button', { hasText: 'Yes' }).click();
    const { workspace: folder } = await waitingBranch(files, 'second');
    const workbench = await open(folder);
    await workbench.terminalShows('it runs in second', 60_000);
    const mark = workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' });
    assert.equal(await mark.count(), 0);
    await files.dispose();
  });

  async function branchable(): Promise<SessionFiles> {
    const project = path.join(root, 'work', `project-${projects++}`);
    mkdirSync(project, { recursive: true });
    await userGit(project, 'init', '-q');
    return placeBranchable(sandbox, project, {
      cmd: ['/bin/sh', '-c', 'echo "it runs in $AH_BRANCH_NAME"; exec cat'],
      steps: [() => writeFileSync(path.join(project, 'a'), 'a\n')],
    });
  }

  async function open(folder: string): Promise<Workbench> {
    const page = await context.newPage();
    await page.goto(server.folderUrl(folder));
    const workbench = new Workbench(page);
    await workbench.ready();
    return workbench;
  }

  /** The state in which “Branch in a New Window” leaves a branch for its window. */
  async function waitingBranch(files: SessionFiles, name: string): Promise<BranchRecord> {
    const registry = new BranchRegistry(path.join(sandbox.folder, 'branches'));
    const parts = { registry, memory: relaunch };
    const { signal } = new AbortController();
    const at = { snapshotId: 1n };
    const request = { at, name, carried: [], carryMode: 'copy', env: {}, signal } as const;
    const plan = await planBranch(files, request, parts);
    return makeBranch(files, plan, parts, { signal, isWaiting: true });
  }
});
