import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Catalogue } from '../../sessions/node/catalogue.ts';
import { CatalogueWatcher } from '../../sessions/node/catalogueWatcher.ts';
import { markInterrupted } from '../../sessions/node/liveness.ts';
import { readSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { unfinishedScrubs } from '../../sessions/node/unfinishedScrubs.ts';
import { isRunning, type Session } from './session.ts';

/** A killed recorder reports nothing, so running sessions are checked at this interval. */
const CHECK_MS = 15_000;

/** All sessions, updated when any window or terminal changes them. */
export class SessionStore implements Disposable {
  readonly #catalogue: Catalogue;
  readonly #resources = new DisposableStore();
  readonly #watcher: CatalogueWatcher;
  readonly #changes = this.#resources.add(new Emitter<void>());
  readonly #interruptions = this.#resources.add(new Emitter<Session>());
  readonly #refreshes = new Sequencer();
  #sessions: readonly Session[] = [];
  #areSomeUnknown = false;
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changes.event;
  /** Fires when a session's recorder turns out to be dead. */
  readonly onDidInterrupt = this.#interruptions.event;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#watcher = this.#resources.add(new CatalogueWatcher(catalogue.folder));
    this.#resources.add(this.#watcher.onDidChange(() => void this.refresh()));
  }

  /** All sessions as of the last refresh, newest first. */
  get sessions(): readonly Session[] {
    return this.#sessions;
  }

  /**
   * Whether some sessions could not be read at the last refresh: then a missing session may still
   * exist.
   */
  get areSomeUnknown(): boolean {
    return this.#areSomeUnknown;
  }

  get(id: string): Session | undefined {
    return this.#sessions.find(({ meta }) => meta.id === id);
  }

  /**
   * Reads all sessions again. Refreshes run one after the other, so that an older result can't
   * replace a newer one.
   */
  refresh(): Promise<void> {
    return this.#refreshes.queue(async () => {
      const interrupted = await markInterrupted(this.#catalogue);
      const unfinished = unfinishedScrubs(this.#catalogue);
      const listed = await this.#catalogue.listAll();
      const sessions = await Promise.all(
        listed.sessions.map(async ({ folder, meta }) => ({
          folder,
          meta,
          notes: await readSessionNotes(folder),
          isScrubUnfinished: unfinished.has(meta.id),
        })),
      );
      if (this.#resources.isDisposed) return;
      // Another window may have marked a session as interrupted before this one did.
      const known = [...interrupted, ...this.#sessions.filter(isRunning)];
      const before = new Set(known.map(({ meta }) => meta.id));
      this.#sessions = sessions;
      this.#areSomeUnknown = listed.areSomeUnknown;
      const running = sessions.filter(isRunning);
      this.#watcher.watchSessions(running.map(({ folder }) => folder));
      this.#checkAgain(running.length > 0);
      this.#changes.fire();
      for (const session of sessions) {
        const { id, state } = session.meta;
        if (state === 'interrupted' && before.has(id)) this.#interruptions.fire(session);
      }
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#resources.dispose();
  }

  #checkAgain(isNeeded: boolean): void {
    clearTimeout(this.#timer);
    if (!isNeeded) return;
    this.#timer = setTimeout(() => void this.refresh(), CHECK_MS);
    this.#timer.unref();
  }
}
