import { watch, type FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Emitter } from '../base/emitter.ts';
import type { Disposable } from '../base/lifecycle.ts';

/** Where an editor lists the extensions of a folder. */
const LIST_FILE = 'extensions.json';

/**
 * Tells when this extension is uninstalled. It still runs then, until the window reloads, and is told nothing by the editor:
 * all there is to see is that it is no longer in the list beside its folder. Where there is no such list nobody is told.
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
        if (name === LIST_FILE) void this.#look();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      return; // It cannot be watched.
    }
    void this.#look();
  }

  dispose(): void {
    this.#watcher?.close();
    this.#removals.dispose();
  }

  async #look(): Promise<void> {
    let list: unknown;
    try {
      list = JSON.parse(await readFile(this.#file, 'utf8'));
    } catch {
      return; // None, or half written: the rest is announced too.
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
