import * as vscode from 'vscode';
import type { StatusView } from '../../agents/common/status/status.ts';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import { isRunning, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';
import { belongsToWorkspace } from '../workspaceKey.ts';
import { configuration } from '../configuration.ts';

/** A session that waits for the user. */
export interface WaitingSession {
  readonly session: Session;
  readonly status: StatusView;
}

/**
 * Tells which sessions wait for the user: those that need approval, and those whose turn has ended
 * and whose terminal the user has not looked at since.
 */
export class Attention implements Disposable {
  readonly #store: SessionStore;
  readonly #live: LiveSessions;
  readonly #terminals: SessionTerminals;
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new Emitter<void>());
  /** Time of the last turn end that the user saw, by session ID. */
  readonly #seen = new Map<string, bigint>();
  #announced = '';

  /** Fires when the list of waiting sessions changed. */
  readonly onDidChange = this.#changes.event;

  constructor(store: SessionStore, live: LiveSessions, terminals: SessionTerminals) {
    this.#store = store;
    this.#live = live;
    this.#terminals = terminals;
    this.#resources.add(live.onDidChange(() => this.#update()));
    this.#resources.add(store.onDidChange(() => this.#update()));
    this.#resources.add(terminals.onDidChangeFocus(() => this.#update()));
    this.#resources.add(vscode.window.onDidChangeWindowState(() => this.#update()));
  }

  /** Waiting sessions: those that need approval first, then by waiting time, longest first. */
  get waiting(): readonly WaitingSession[] {
    const showsAll = configuration().sessionsShown === 'all';
    return this.#store.sessions
      .filter((session) => isRunning(session) && (showsAll || belongsToWorkspace(session)))
      .flatMap((session) => {
        const status = this.#live.status(session.meta.id);
        return status && this.#isWaiting(session.meta.id, status) ? [{ session, status }] : [];
      })
      .sort(
        (a, b) => rank(a) - rank(b) || Number((a.status.sinceNs ?? 0n) - (b.status.sinceNs ?? 0n)),
      );
  }

  /** Whether the session's terminal has the focus in a focused window. */
  hasFocus(id: string): boolean {
    return vscode.window.state.focused && this.#terminals.hasFocus(id);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #isWaiting(id: string, status: StatusView): boolean {
    if (status.status === 'waiting_approval') return true;
    if (!status.isPromptReady || status.sinceNs === undefined) return false;
    return (this.#seen.get(id) ?? -1n) < status.sinceNs;
  }

  #update(): void {
    for (const { session, status } of this.waiting) {
      const { id } = session.meta;
      if (status.isPromptReady && this.hasFocus(id)) this.#seen.set(id, status.sinceNs ?? 0n);
    }
    for (const id of this.#seen.keys()) if (!this.#store.get(id)) this.#seen.delete(id);
    const announced = this.waiting
      .map(({ session, status }) => `${session.meta.id} ${status.status} ${status.sinceNs}`)
      .join('\n');
    if (announced === this.#announced) return;
    this.#announced = announced;
    this.#changes.fire();
  }
}

function rank({ status }: WaitingSession): number {
  return status.status === 'waiting_approval' ? 0 : 1;
}
