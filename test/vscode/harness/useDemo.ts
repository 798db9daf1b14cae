import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processes, until } from '../../support/ah.ts';
import { journeyWorld } from './journeyHooks.ts';
import { Workbench } from './workbench.ts';

/** Where the demo says that its editor is. */
export const ADDRESS = /http:\S+/;

export interface Demo {
  /** Its temporary files are here. */
  readonly folder: string;
  /** On a machine without a display. */
  environment(extra?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  seesTheAgent(address: string): Promise<void>;
  /** No process and no file is left of it. */
  leavesNothing(): Promise<void>;
}

/** Call in a `describe`: each test starts the demo with temporary files of its own. */
export function useDemo(): Demo {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ah-s-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
    environment(extra = {}) {
      return { ...process.env, TMPDIR: folder, DISPLAY: '', WAYLAND_DISPLAY: '', ...extra };
    },
    async seesTheAgent(address) {
      const context = await journeyWorld().browser.newContext();
      const page = await context.newPage();
      await page.goto(address);
      const workbench = new Workbench(page);
      await workbench.ready();
      await workbench.terminalShows('●', 60_000);
      await context.close();
    },
    async leavesNothing() {
      const leftOver = () => processes().filter((pid) => mentions(pid, folder));
      await until(() => leftOver().length === 0, 'every process to be gone');
      const files = readdirSync(folder).filter((name) => name.startsWith('ah-demo-'));
      assert.deepEqual(files, []);
    },
  };
}

function mentions(pid: number, text: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text) ||
      readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${text}\0`)
    );
  } catch {
    return false; // It ended meanwhile.
  }
}
