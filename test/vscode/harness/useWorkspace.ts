import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { until } from '../../support/ah.ts';
import { journeyWorld } from './journeyHooks.ts';
import { Workbench } from './workbench.ts';

export interface Workspace {
  readonly folder: string;
  /** Opens another window on the folder, or on another one, in the same browser. */
  open(other?: string): Promise<Workbench>;
  /** The same with a file that lists the folder: others can be added without the window loading again. */
  openAsOneOfSeveral(): Promise<Workbench>;
}

/**
 * Call in a `describe`: every test gets an empty folder and a browser without memory; its recorders are gone afterwards.
 * @param name for pictures: of the folder, in the home of the editor's user
 */
export function useWorkspace(name?: string): Workspace {
  let folder = '';
  let context: BrowserContext | undefined;
  beforeEach(async () => {
    const { root, browser } = journeyWorld();
    folder = name === undefined ? newFolder(root) : emptyFolder(path.join(root, 'home', name));
    context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await keepScreenshots(context!, this.currentTest);
    await context!.close();
    await journeyWorld().sandbox.killRecorders();
  });
  const openPage = async (url: string) => {
    const page = await context!.newPage();
    await page.goto(url);
    const workbench = new Workbench(page);
    await workbench.ready();
    return workbench;
  };
  return {
    get folder() {
      return folder;
    },
    open: (other = folder) => openPage(journeyWorld().server.folderUrl(other)),
    async openAsOneOfSeveral() {
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
