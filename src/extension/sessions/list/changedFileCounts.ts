import { Emitter } from '../../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../../base/lifecycle.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import { countChangedFiles } from '../../../snapshots/node/list/changedFiles.ts';
import { changeSessionNotes, type ChangedFiles } from '../../../sessions/node/sessionNotes.ts';
import { isRunning, type Session } from '../session.ts';

/** Shortest time between two counts of a running session. */
const AGAIN_MS = 10_000;
/** A comparison that takes longer is cancelled: the row stays without a count. */
const TIMEOUT_MS = 20_000;

/**
 * Counts how many files each listed session changed, in the background and one session at a time.
 */
export class ChangedFileCounts implements Disposable {
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new Emitter<void>());
  readonly #sequencer = new Sequencer();
  readonly #counts = new Map<string, ChangedFiles>();
  /** When each session was last counted; ended sessions are counted only once. */
  readonly #counted = new Map<string, { readonly atMs: number; readonly isFinal: boolean }>();

  /** Fires when a count has changed. */
  readonly onDidChange = this.#changes.event;

  /** The last known count; a newer one is announced by {@link onDidChange}. */
  get(session: Session): number | undefined {
    const { id } = session.meta;
    const known = this.#counts.get(id) ?? session.notes.changedFiles;
    if (this.#isDue(session)) {
      this.#counted.set(id, { atMs: Date.now(), isFinal: !isRunning(session) });
      // If the count fails, the row stays without one.
      void this.#sequencer.queue(() => this.#count(session, known)).catch(() => undefined);
    }
    return known?.count;
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #isDue(session: Session): boolean {
    const last = this.#counted.get(session.meta.id);
    if (isRunning(session)) return !last || Date.now() - last.atMs > AGAIN_MS;
    return last?.isFinal !== true && session.notes.changedFiles === undefined;
  }

  async #count(session: Session, known: ChangedFiles | undefined): Promise<void> {
    if (this.#resources.isDisposed || session.meta.workspace === undefined) return;
    const count = await countChangedFiles(session, AbortSignal.timeout(TIMEOUT_MS), known);
    if (!count) return;
    // Store the count, so that other windows need not compare again.
    if (!isRunning(session)) await changeSessionNotes(session.folder, { changedFiles: count });
    this.#counts.set(session.meta.id, count);
    if (!this.#resources.isDisposed && count.count !== known?.count) this.#changes.fire();
  }
}
