import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { Session } from './session.ts';
import { sessionRow } from './list/sessionRow.ts';
import type { SessionStore } from './sessionStore.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';
import { belongsToWorkspace } from '../workspaceKey.ts';

export interface ChoiceOptions {
  /** Which sessions can be chosen. */
  readonly accepts: (session: Session) => boolean;
  readonly placeHolder: string;
  /** Error message if there is no such session. */
  readonly none: string;
  /**
   * Whether to ask whenever several sessions can be chosen, because a wrong guess would do harm.
   */
  readonly alwaysAsks?: true;
  /** Whether to ask even if only one can be chosen: the user may mean one that can't. */
  readonly asksForOne?: true;
}

/** Finds the session of a command. */
export class SessionChooser {
  readonly #store: SessionStore;
  readonly #terminals: SessionTerminals;

  constructor(store: SessionStore, terminals: SessionTerminals) {
    this.#store = store;
    this.#terminals = terminals;
  }

  /**
   * Returns the session that the argument names, or the active terminal's session, or the only
   * session of this workspace (of all, if the workspace has none); otherwise asks the user.
   * @returns undefined if the user cancelled
   */
  async choose(argument: unknown, options: ChoiceOptions): Promise<Session | undefined> {
    const id = idOf(argument);
    if (id !== undefined) return this.#get(id);
    await this.#store.refresh();
    const active = this.#terminals.sessionIn(vscode.window.activeTerminal);
    if (active && options.accepts(active) && !options.alwaysAsks) return active;
    const everywhere = this.#store.sessions.filter(options.accepts);
    const here = everywhere.filter(belongsToWorkspace);
    const sessions = here.length > 0 && !options.alwaysAsks ? here : everywhere;
    if (sessions.length === 0) throw new UserError('no-session', options.none);
    if (sessions.length === 1 && !options.asksForOne) return sessions[0];
    return this.#pick(sessions, options.placeHolder);
  }

  /** Never returns another session. @throws UserError if the session no longer exists */
  async #get(id: string): Promise<Session> {
    if (!this.#store.get(id)) await this.#store.refresh();
    const session = this.#store.get(id);
    if (session) return session;
    const text = vscode.l10n.t('This session no longer exists.');
    throw new UserError('session-not-found', text);
  }

  async #pick(sessions: readonly Session[], placeHolder: string): Promise<Session | undefined> {
    const items = sessions.map((session) => ({ ...sessionRow(session), session }));
    const item = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
    return item?.session;
  }
}

/** Reads only the ID from an argument; everything else comes from the store. */
function idOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { meta } = argument as { meta?: { id?: unknown } };
  return typeof meta?.id === 'string' ? meta.id : undefined;
}
