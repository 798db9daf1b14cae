import { toDisposable, type Disposable } from '../../base/lifecycle.ts';
import { isPaused } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { SPARING_PACE, type ComparisonPace } from './comparisonSchedule.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { SnapshotKey } from './snapshotUri.ts';
import { WorkspaceChanges } from './workspaceChanges.ts';

export interface OpenedChanges extends Disposable {
  readonly changes: WorkspaceChanges;
}

/**
 * The comparisons of this window. Features that show the same snapshot share one comparison,
 * because each comparison reads the whole workspace.
 */
export class WorkspaceComparisons implements Disposable {
  readonly #opened: Pick<OpenedSnapshots, 'files'>;
  readonly #store: Pick<SessionStore, 'sessions' | 'onDidChange'>;
  readonly #pace: ComparisonPace;
  readonly #listener: Disposable;
  readonly #shared = new Map<string, { readonly changes: WorkspaceChanges; users: number }>();

  constructor(
    opened: Pick<OpenedSnapshots, 'files'>,
    store: Pick<SessionStore, 'sessions' | 'onDidChange'>,
    pace = SPARING_PACE,
  ) {
    this.#opened = opened;
    this.#store = store;
    this.#pace = pace;
    this.#listener = store.onDidChange(() => {
      for (const { changes } of this.#shared.values()) changes.resume();
    });
  }

  /** Dispose the result when it is no longer needed. */
  open(key: SnapshotKey, workspace: string): OpenedChanges {
    const name = `${key.sessionId}/${key.snapshotId}`;
    const shared = this.#shared.get(name) ?? { changes: this.#create(key, workspace), users: 0 };
    this.#shared.set(name, shared);
    shared.users++;
    const use = toDisposable(() => {
      shared.users--;
      if (shared.users > 0) return;
      this.#shared.delete(name);
      shared.changes.dispose();
    });
    return { changes: shared.changes, dispose: () => use.dispose() };
  }

  /** Whether a recording in the workspace is paused: comparing would store its files. */
  isPaused(workspace: string): boolean {
    return this.#store.sessions.some(
      (session) => session.meta.workspace === workspace && isPaused(session),
    );
  }

  /** Resolves when no recording in the workspace is paused. */
  async whenResumed(workspace: string): Promise<void> {
    while (this.isPaused(workspace)) {
      await new Promise<void>((resolve) => {
        const listener = this.#store.onDidChange(() => {
          listener.dispose();
          resolve();
        });
      });
    }
  }

  dispose(): void {
    this.#listener.dispose();
    for (const { changes } of this.#shared.values()) changes.dispose();
    this.#shared.clear();
  }

  #create(key: SnapshotKey, workspace: string): WorkspaceChanges {
    return new WorkspaceChanges({
      opened: this.#opened,
      key,
      workspace,
      pace: this.#pace,
      isPaused: () => this.isPaused(workspace),
    });
  }
}
