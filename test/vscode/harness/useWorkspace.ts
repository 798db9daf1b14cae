import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { until } from '../../support/ah.ts';
import { pace } from '../../support/pace.ts';
import { logTest } from '../../support/testLog.ts';
import { journeyWorld } from './journeyHooks.ts';
import { SharedWindow } from './sharedWindow.ts';
import { Workbench } from './workbench.ts';

export interface Workspace {
  readonly folder: string;
  /** The window on the folder; once it is given out, or for another folder, a new one in the same browser. */
  open(other?: string): Promise<Workbench>;
  /** A new window on a file that lists the folder: others can be added without the window loading again. */
  openAsOneOfSeveral(): Promise<Workbench>;
}

/**
 * Call in a `describe`: journeys share a window, which is reset after each; every test finds an empty folder and no session.
 * @param name for pictures: of the folder, in the home of the editor's user; each test then has a browser without memory
 */
export function useWorkspace(name?: string): Workspace {
  let shared: SharedWindow | undefined;
  /** The window on the folder, which the next journey is to have. */
  let window: Workbench | undefined;

  beforeEach(async () => {
    const world = journeyWorld();
    shared = world.shared ?? (await newSharedWindow(name));
    if (name === undefined) world.shared = shared;
    window = undefined;
  });

  afterEach(async function () {
    const hasFailed = this.currentTest?.state === 'failed';
    if (hasFailed) await keepScreenshots(shared!.context, this.currentTest!);
    const isReset = !hasFailed && name === undefined && window && (await shared!.reset(window));
    if (isReset) return;
    journeyWorld().shared = undefined;
    await shared!.context.close();
    await journeyWorld().sandbox.killRecorders();
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
      // The editor may look for the file before its server can be asked, takes it for empty, and looks again when it changes.
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
