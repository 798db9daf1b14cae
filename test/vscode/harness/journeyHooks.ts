import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { AhSandbox } from '../../support/ah.ts';
import { ensureSystemPackages } from './editor/aptPackages.ts';
import { startBrowser } from './editor/browser.ts';
import { EditorServer } from './editor/editorServer.ts';
import { makeFakeAgents } from './sessions/fakeAgents.ts';
import { ensureServer } from './editor/installServer.ts';
import { controlFolder, type SharedWindow } from './sharedWindow.ts';

const helpers = ['resetExtension', 'slowFiles'].map((name) =>
  path.resolve(import.meta.dirname, name),
);

/**
 * Shared by all journeys of a process, because starting VS Code and a browser takes longer than a
 * test.
 */
export interface JourneyWorld {
  readonly server: EditorServer;
  readonly browser: Browser;
  /** Tracks the recorders of the journeys, and kills them at the end. */
  readonly sandbox: AhSandbox;
  readonly root: string;
  /** The shared window, if there is one. */
  shared?: SharedWindow | undefined;
}

/**
 * Environment variable with the folder in which each world (a sandbox with an editor) notes its own
 * folder.
 */
const WORLDS = 'AH_TEST_WORLDS';

let current: JourneyWorld | undefined;

export function journeyWorld(): JourneyWorld {
  if (!current)
    throw new Error('Run the journeys with --require test/vscode/harness/journeyHooks.ts');
  return current;
}

/** Mocha's root hooks. In parallel mode Mocha calls them for each file. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(600_000); // The first run on a machine installs VS Code.
    current ??= await startWorld();
  },

  async afterAll(): Promise<void> {
    const hasFurtherFiles = process.env['MOCHA_WORKER_ID'] !== undefined;
    if (hasFurtherFiles || !current) return;
    const { browser, server, sandbox, root } = current;
    current = undefined;
    await browser.close();
    await server.stop();
    await sandbox.dispose();
    rmSync(root, { recursive: true, force: true });
  },
};

async function startWorld(): Promise<JourneyWorld> {
  ensureSystemPackages();
  const serverFolder = ensureServer();
  const root = mkdtempSync(path.join(tmpdir(), 'ah-v-'));
  const data = path.join(root, 'ah');
  const control = controlFolder(root);
  for (const folder of [data, control]) mkdirSync(folder);
  const home = makeHome(path.join(root, 'home'), makeFakeAgents(path.join(root, 'bin')));
  const server = await EditorServer.start({
    serverFolder,
    root,
    isDriven: false,
    extension: 'linked',
    helpers,
    env: { AH_DATA_DIR: data, HOME: home, SHELL: '/bin/bash', AH_TEST_CONTROL: control },
  });
  const world = { server, browser: await startBrowser(), root, sandbox: new AhSandbox(data) };
  writeFileSync(path.join(process.env[WORLDS]!, path.basename(root)), root);
  // Mocha's workers don't know their last file. The browser ends with its process.
  process.once('exit', () => {
    if (current !== world) return;
    server.kill();
    world.sandbox.signalRecorders();
  });
  return world;
}

/** Runs once before all files, in the main process. */
export function mochaGlobalSetup(): void {
  process.env[WORLDS] = mkdtempSync(path.join(tmpdir(), 'ah-w-'));
}

/** Runs once after all files: workers have no time to delete their files. */
export function mochaGlobalTeardown(): void {
  const worlds = process.env[WORLDS]!;
  const roots = readdirSync(worlds).map((name) => readFileSync(path.join(worlds, name), 'utf8'));
  for (const folder of [...roots, worlds]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** VS Code takes PATH from a login shell. */
function makeHome(folder: string, binFolder: string): string {
  mkdirSync(folder);
  writeFileSync(path.join(folder, '.bash_profile'), `export PATH="${binFolder}:$PATH"\n`);
  return folder;
}
