import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { until } from '../../support/ah.ts';
import { pace } from '../../support/pace.ts';
import { logTest } from '../../support/testLog.ts';
import { journeyWorld } from './journeyHooks.ts';
import { SharedWindow } from './sharedWindow.ts';
import { Workbench } from './pages/workbench.ts';

export interface Workspace {
  readonly folder: string;
  /** The window on the folder. The second call, or another folder, opens a new window. */
  open(other?: string): Promise<Workbench>;
  /** Opens a window on a workspace file, to which folders can be added without reloading. */
  openAsOneOfSeveral(): Promise<Workbench>;
}

/**
 * Call in a `describe`. Journeys share a window, which is reset after each test; each test starts
 * with an empty folder and no session.
 * @param name of a folder in the user's home, for screenshots; each test then has a fresh browser
 */
export function useWorkspace(name?: string): Workspace {
  let shared: SharedWindow | undefined;
  /** The shared window for the next journey. */
  let window: Workbench | undefined;

  beforeEach(async () => {
    const world = journeyWorld();
    if (name !== undefined) await world.shared?.context.close();
    shared = (name === undefined && world.shared) || (await newSharedWindow(name));
    world.shared = name === undefined ? shared : undefined;
    window = undefined;
  });

  afterEach(async function () {
    const hasFailed = this.currentTest?.state === 'failed';
    if (hasFailed) await keepScreenshots(shared!.context, this.currentTest!);
    const isReset = !hasFailed && name === undefined && window && (await shared!.reset(window));
    if (isReset) return;
    journeyWorld().shared = undefined;
    await shared!.context.close();
    const { sandbox } = journeyWorld();
    await sandbox.killRecorders();
    // The next test with this name uses the same folder, and would list these sessions, too.
    if (name !== undefined) {
      for (const each of ['sessions', 'branches']) emptyFolder(path.join(sandbox.folder, each));
    }
  });

  const openPage = async (url: string) => {
    const start = performance.now();
    const page = await shared!.context.newPage();
    await page.goto(url);
    const workbench = new Workbench(page);
    await workbench.ready();
    logTest({ kind: 'window', title: url, state: 'passed', ms: performance.now() - start });
    return workbench;
  };
  return {
    get folder() {
      return shared!.folder;
    },
    async open(other) {
      if (other !== undefined) return openPage(journeyWorld().server.folderUrl(other));
      const url = journeyWorld().server.folderUrl(shared!.folder);
      const workbench = shared!.take() ?? (await openPage(url));
      window ??= workbench;
      return workbench;
    },
    async openAsOneOfSeveral() {
      const { folder } = shared!;
      const file = `${folder}.code-workspace`;
      const text = JSON.stringify({ folders: [{ path: folder }] });
      writeFileSync(file, text);
      const workbench = await openPage(journeyWorld().server.workspaceUrl(file));
      const isOpen = () => workbench.explorerRow(path.basename(folder)).isVisible();
      // VS Code may read the file before its server answers and take it for empty: touch it again.
      await until(isOpen, 'the folder in the explorer', 10_000).catch(() => {
        writeFileSync(file, `${text}\n`);
        return until(isOpen, 'the folder in the explorer, its file written again', 30_000);
      });
      return workbench;
    },
  };
}

async function newSharedWindow(name: string | undefined): Promise<SharedWindow> {
  const world = journeyWorld();
  const { root, browser } = world;
  const folder = name === undefined ? newFolder(root) : emptyFolder(path.join(root, 'home', name));
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(30_000 * pace);
  return new SharedWindow(world, folder, context);
}

function newFolder(root: string): string {
  mkdirSync(path.join(root, 'work'), { recursive: true });
  return mkdtempSync(path.join(root, 'work/project-'));
}

function emptyFolder(folder: string): string {
  for (const each of [folder, `${folder}.branches`]) rmSync(each, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function keepScreenshots(context: BrowserContext, test: Mocha.Test): Promise<void> {
  const name = test.fullTitle().replace(/\W+/g, '-');
  for (const [index, page] of context.pages().entries()) {
    const file = path.resolve('.vscode-test/failures', `${name}-${index}.png`);
    await page.screenshot({ path: file });
    console.log(`      screenshot: ${file}`);
  }
}
