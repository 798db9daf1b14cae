import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processes, until } from '../../support/ah.ts';
import { journeyWorld } from './journeyHooks.ts';
import { Workbench } from './pages/workbench.ts';

/** The address in the demo's output. */
export const ADDRESS = /http:\S+/;

export interface Demo {
  /** The folder of its temporary files. */
  readonly folder: string;
  /** An environment without a display. */
  environment(extra?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  /** The folder that the demo creates for itself and removes when it ends. */
  root(): string;
  /** A new window of the demo's editor. */
  open(address: string): Promise<Workbench>;
  seesTheAgent(address: string): Promise<void>;
  /** Asserts that no process and no file is left. */
  leavesNothing(): Promise<void>;
}

/** Call in a `describe`: each test starts the demo with temporary files of its own. */
export function useDemo(): Demo {
  let folder = '';
  const demoFolders = () => readdirSync(folder).filter((name) => name.startsWith('ah-demo-'));
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
    root() {
      const [name = ''] = demoFolders();
      return path.join(folder, name);
    },
    open,
    async seesTheAgent(address) {
      const workbench = await open(address);
      await workbench.terminalShows('●', 60_000);
      await workbench.page.context().close();
    },
    async leavesNothing() {
      const leftOver = () => processes().filter((pid) => mentions(pid, folder));
      await until(() => leftOver().length === 0, 'every process to be gone');
      assert.deepEqual(demoFolders(), []);
    },
  };
}

async function open(address: string): Promise<Workbench> {
  const page = await (await journeyWorld().browser.newContext()).newPage();
  await page.goto(address);
  const workbench = new Workbench(page);
  await workbench.ready();
  return workbench;
}

function mentions(pid: number, text: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text) ||
      readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${text}\0`)
    );
  } catch {
    return false; // The demo has ended.
  }
}
