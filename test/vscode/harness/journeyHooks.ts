import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { AhSandbox } from '../../support/ah.ts';
import { ensureSystemPackages } from './aptPackages.ts';
import { startBrowser } from './browser.ts';
import { EditorServer } from './editorServer.ts';
import { makeFakeAgents } from './fakeAgents.ts';
import { ensureServer } from './installServer.ts';

/** What all journeys share: starting an editor and a browser for each would take longer than the journeys. */
export interface JourneyWorld {
  readonly server: EditorServer;
  readonly browser: Browser;
  /** Sees, and in the end kills, the recorders that the journeys started. */
  readonly sandbox: AhSandbox;
  readonly root: string;
}

let current: JourneyWorld | undefined;

export function journeyWorld(): JourneyWorld {
  if (!current)
    throw new Error('Run the journeys with --require test/vscode/harness/journeyHooks.ts');
  return current;
}

/** Mocha's root hooks. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(600_000); // The first run on a machine installs an editor.
    ensureSystemPackages();
    const serverFolder = ensureServer();
    const root = mkdtempSync(path.join(tmpdir(), 'ah-v-'));
    const data = path.join(root, 'ah');
    mkdirSync(data);
    const home = makeHome(path.join(root, 'home'), makeFakeAgents(path.join(root, 'bin')));
    const server = await EditorServer.start({
      ...{ serverFolder, root, isDriven: false, extension: 'linked' },
      env: { AH_DATA_DIR: data, HOME: home, SHELL: '/bin/bash' },
    });
    const browser = await startBrowser();
    current = { server, browser, root, sandbox: new AhSandbox(data) };
  },

  async afterAll(): Promise<void> {
    if (!current) return;
    const { browser, server, sandbox, root } = current;
    await browser.close();
    await server.stop();
    await sandbox.dispose();
    rmSync(root, { recursive: true, force: true });
  },
};

/** The editor takes PATH from a login shell, not from its own environment. */
function makeHome(folder: string, binFolder: string): string {
  mkdirSync(folder);
  writeFileSync(path.join(folder, '.bash_profile'), `export PATH="${binFolder}:$PATH"\n`);
  return folder;
}
