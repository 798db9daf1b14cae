import * as vscode from 'vscode';
import {
  findLastChange,
  lastChange,
  type UndoableChange,
} from '../../branching/node/apply/lastChange.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { Catalogue } from '../../sessions/node/catalogue.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

/** Finds the restore or apply to undo. */
export class UndoChooser {
  readonly #sessions: SessionChooser;
  readonly #store: SessionStore;
  readonly #catalogue: Catalogue;
  readonly #registry = new BranchRegistry();

  constructor(sessions: SessionChooser, store: SessionStore, catalogue: Catalogue) {
    this.#sessions = sessions;
    this.#store = store;
    this.#catalogue = catalogue;
  }

  /**
   * Returns the last change of the session that the argument names, or of a session of this window
   * that has one; if several do, the user picks the session.
   */
  async choose(argument: unknown): Promise<UndoableChange | undefined> {
    await this.#store.refresh();
    const changes = new Map<string, UndoableChange>();
    const find = async (session: Session) => {
      const change = await findLastChange(session, this.#registry, this.#catalogue);
      if (change) changes.set(session.meta.id, change);
    };
    await Promise.all(this.#store.sessions.map(find));
    const session = await this.#sessions.choose(argument, {
      accepts: ({ meta }) => changes.has(meta.id),
      placeHolder: vscode.l10n.t('Select a session to undo its last restore or apply'),
      none: vscode.l10n.t('Nothing to undo: no files were restored or applied yet.'),
    });
    if (!session) return undefined;
    return changes.get(session.meta.id) ?? lastChange(session, this.#registry, this.#catalogue);
  }
}
