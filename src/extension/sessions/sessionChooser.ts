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
  /** Asks whenever several sessions can be chosen: a wrong guess would do harm. */
  readonly alwaysAsks?: true;
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
   * Takes the argument's session, that of the active terminal, the only one in this workspace (or
   * at all, if the workspace has none), or asks. @returns undefined if the user cancelled
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
    if (sessions.length === 1) return sessions[0];
    return this.#pick(sessions, options.placeHolder);
  }

  /** Throws if the session is gone; never takes another one. */
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

/** Takes only the ID from an argument; the rest comes from the store. */
function idOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { meta } = argument as { meta?: { id?: unknown } };
  return typeof meta?.id === 'string' ? meta.id : undefined;
}
