import { watch, type FSWatcher } from 'node:fs';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { makePrivateFolder } from '../../platform/node/paths.ts';

/** Changes within this time count as one: the start or end of a session changes several files. */
const SETTLE_MS = 100;

/**
 * Fires when a catalogue (of sessions, or of branches) or one of its sessions may have changed.
 * Watches only a few folders.
 */
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

  /** Watches exactly these folders from now on. Only running sessions need to be watched. */
  watchSessions(folders: readonly string[]): void {
    for (const [folder, watcher] of this.#sessions) {
      if (folders.includes(folder)) continue;
      watcher.close();
      this.#sessions.delete(folder);
    }
    for (const folder of folders) {
      if (this.#sessions.has(folder)) continue;
      // The folder's other files, such as the recording, change all the time.
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
      return undefined; // The folder does not exist, or the system's limit of watchers is reached.
    }
  }

  #announce(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changes.fire();
    }, SETTLE_MS);
  }
}
