import { readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { JourneyWorld } from './journeyHooks.ts';
import type { Workbench } from './pages/workbench.ts';

/** The folder in which windows wait for their reset; see `resetExtension`. */
export function controlFolder(root: string): string {
  return path.join(root, 'control');
}

/** The shared window of a file's journeys; its folder is emptied before each. */
export class SharedWindow {
  readonly folder: string;
  readonly context: BrowserContext;
  readonly #world: JourneyWorld;
  #workbench: Workbench | undefined;

  constructor(world: JourneyWorld, folder: string, context: BrowserContext) {
    this.folder = folder;
    this.context = context;
    this.#world = world;
  }

  /** The shared window, once per journey: a journey opens further windows itself. */
  take(): Workbench | undefined {
    const workbench = this.#workbench;
    this.#workbench = undefined;
    return workbench;
  }

  /** Resets the window to the state after opening an empty folder. @returns whether that worked */
  async reset(workbench: Workbench): Promise<boolean> {
    const isStillThere =
      !workbench.page.isClosed() && decodeURIComponent(workbench.page.url()).endsWith(this.folder);
    if (!isStillThere) return false;
    for (const page of this.context.pages()) if (page !== workbench.page) await page.close();
    try {
      await this.#ask('close');
      await this.#removeSessions();
      emptyFolder(this.folder);
      rmSync(`${this.folder}.branches`, { recursive: true, force: true });
      await this.#ask('settle');
    } catch (error) {
      console.log('      This window could not be reset; the next journey opens another.', error);
      return false;
    }
    this.#workbench = workbench;
    return true;
  }

  async #removeSessions(): Promise<void> {
    const { sandbox } = this.#world;
    // Remove the sessions from the catalogue first, so that no window reports a killed recorder.
    for (const { meta } of await sandbox.catalogue.list()) await sandbox.catalogue.remove(meta.id);
    await sandbox.killRecorders();
    for (const name of ['sessions', 'branches']) emptyFolder(path.join(sandbox.folder, name));
  }

  async #ask(step: 'close' | 'settle'): Promise<void> {
    const file = path.join(controlFolder(this.#world.root), `${path.basename(this.folder)}.sock`);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = net.connect(file, () => socket.write(`${step}\n`));
      socket.setTimeout(15_000, () => socket.destroy(new Error(`no answer to ${step}`)));
      socket.on('data', (data) => (text += data.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    if (answer !== 'done') throw new Error(answer);
  }
}

/** Empties the folder without deleting it, because a window watches it. */
function emptyFolder(folder: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return; // The folder was never created.
  }
  for (const name of names) rmSync(path.join(folder, name), { recursive: true, force: true });
}
