import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { sessionName, type Session } from './session.ts';
import { stateText } from './sessionItem.ts';
import type { SessionStore } from './sessionStore.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';
import { belongsToWorkspace } from '../workspaceKey.ts';

export interface ChoiceOptions {
  /** Which sessions can be meant at all. */
  readonly accepts: (session: Session) => boolean;
  readonly placeHolder: string;
  /** Said when there is none to choose from. */
  readonly none: string;
}

/** Finds out which session a command is about. */
export class SessionChooser {
  readonly #store: SessionStore;
  readonly #terminals: SessionTerminals;

  constructor(store: SessionStore, terminals: SessionTerminals) {
    this.#store = store;
    this.#terminals = terminals;
  }

  /**
   * The one the command was given (by a menu of the list), the one in the terminal in front, the only one there is in this
   * workspace (or, if it has none, anywhere), or the one that is picked. Undefined when the person thought better of it.
   */
  async choose(argument: unknown, options: ChoiceOptions): Promise<Session | undefined> {
    const id = idOf(argument);
    if (id !== undefined) return this.#get(id);
    await this.#store.refresh();
    const active = this.#terminals.sessionIn(vscode.window.activeTerminal);
    if (active && options.accepts(active)) return active;
    const everywhere = this.#store.sessions.filter(options.accepts);
    const here = everywhere.filter(belongsToWorkspace);
    const sessions = here.length > 0 ? here : everywhere;
    if (sessions.length === 0) throw new UserError('no-session', options.none);
    if (sessions.length === 1) return sessions[0];
    return this.#pick(sessions, options.placeHolder);
  }

  /** One that is gone by now is no reason to take another. */
  async #get(id: string): Promise<Session> {
    if (!this.#store.get(id)) await this.#store.refresh();
    const session = this.#store.get(id);
    if (session) return session;
    const text = vscode.l10n.t('This session does not exist any more.');
    throw new UserError('session-not-found', text);
  }

  async #pick(sessions: readonly Session[], placeHolder: string): Promise<Session | undefined> {
    const items = sessions.map((session) => ({
      label: sessionName(session),
      description: stateText(session),
      detail: session.meta.cwd,
      session,
    }));
    const item = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
    return item?.session;
  }
}

/** Whatever else the argument says of a session, what the store says now counts. */
function idOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { meta } = argument as { meta?: { id?: unknown } };
  return typeof meta?.id === 'string' ? meta.id : undefined;
}
