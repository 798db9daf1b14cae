import { watch, type FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';

/** In this file of the extensions' folder, VS Code lists the installed extensions. */
const LIST_FILE = 'extensions.json';

/**
 * Detects that this extension was uninstalled. VS Code sends no event and keeps the extension
 * running until the window reloads, but removes its entry from the list of extensions at once.
 */
export class RemovalWatcher implements Disposable {
  readonly #file: string;
  readonly #extensionId: string;
  readonly #removals = new Emitter<void>();
  readonly #watcher: FSWatcher | undefined;
  #wasListed = false;

  readonly onDidRemove = this.#removals.event;

  constructor(extensionFolder: string, extensionId: string) {
    const folder = path.dirname(extensionFolder);
    this.#file = path.join(folder, LIST_FILE);
    this.#extensionId = extensionId.toLowerCase();
    try {
      this.#watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === LIST_FILE) void this.#check();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      return; // Without a watcher, only the notice after uninstalling is missing.
    }
    void this.#check();
  }

  dispose(): void {
    this.#watcher?.close();
    this.#removals.dispose();
  }

  async #check(): Promise<void> {
    let list: unknown;
    try {
      list = JSON.parse(await readFile(this.#file, 'utf8'));
    } catch {
      return; // Missing or half-written: another event follows once it is complete.
    }
    if (!Array.isArray(list)) return;
    const isListed = list.some((entry) => idOf(entry) === this.#extensionId);
    if (this.#wasListed && !isListed) this.#removals.fire();
    this.#wasListed = isListed;
  }
}

function idOf(entry: unknown): string | undefined {
  const { identifier } = (entry ?? {}) as { identifier?: { id?: unknown } };
  return typeof identifier?.id === 'string' ? identifier.id.toLowerCase() : undefined;
}
