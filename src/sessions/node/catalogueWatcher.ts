import { watch, type FSWatcher } from 'node:fs';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { makePrivateFolder } from '../../platform/node/paths.ts';

/** A session's start or end touches several files at once. */
const SETTLE_MS = 100;

/** Tells when the catalogue, or a session in it, may have changed. What is watched are folders, and few. */
export class CatalogueWatcher implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly #catalogue: FSWatcher | undefined;
  readonly #sessions = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(catalogueFolder: string) {
    makePrivateFolder(catalogueFolder);
    this.#catalogue = this.#watch(catalogueFolder, () => true);
  }

  /** Watches exactly these session folders from now on; those of running sessions suffice, the others are at rest. */
  watchSessions(folders: readonly string[]): void {
    for (const [folder, watcher] of this.#sessions) {
      if (folders.includes(folder)) continue;
      watcher.close();
      this.#sessions.delete(folder);
    }
    for (const folder of folders) {
      if (this.#sessions.has(folder)) continue;
      // The recording beside these files grows all the time.
      const watcher = this.#watch(folder, (name) => /^session\.(meta|notes)\.json$/.test(name));
      if (watcher) this.#sessions.set(folder, watcher);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#catalogue?.close();
    this.watchSessions([]);
    this.#changes.dispose();
  }

  #watch(folder: string, matters: (name: string) => boolean): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || matters(name)) this.#announce();
      });
      watcher.on('error', () => watcher.close()); // The folder is gone.
      return watcher;
    } catch {
      return undefined;
    }
  }

  #announce(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changes.fire();
    }, SETTLE_MS);
  }
}
