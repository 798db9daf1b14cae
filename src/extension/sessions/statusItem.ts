import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import type { Attention, WaitingSession } from '../agents/attention.ts';
import { evidenceText, statusText, statusLabel } from '../agents/statusStyle.ts';
import { COMMANDS } from '../contributions.ts';
import { isPaused, isRunning, sessionName, type Session } from './session.ts';
import { stateText } from './list/sessionItem.ts';
import type { SessionStore } from './sessionStore.ts';
import { plainLabel } from '../plainLabel.ts';
import { belongsToWorkspace } from '../workspaceKey.ts';

/**
 * Status bar item about the running sessions of this workspace: a paused one, those that wait for
 * the user, or all. Hidden when none is running.
 */
export class StatusItem implements Disposable {
  readonly #store: SessionStore;
  readonly #live: LiveSessions;
  readonly #attention: Attention;
  readonly #resources = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(store: SessionStore, live: LiveSessions, attention: Attention) {
    this.#store = store;
    this.#live = live;
    this.#attention = attention;
    this.#item = this.#resources.add(
      vscode.window.createStatusBarItem('ah.recording', vscode.StatusBarAlignment.Left, 1),
    );
    this.#item.name = vscode.l10n.t('Recorded Sessions');
    this.#resources.add(store.onDidChange(() => this.#update()));
    this.#resources.add(live.onDidChange(() => this.#update()));
    this.#resources.add(attention.onDidChange(() => this.#update()));
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #update(): void {
    const sessions = this.#store.sessions.filter(
      (session) => isRunning(session) && belongsToWorkspace(session),
    );
    const [first] = sessions;
    if (!first) return this.#item.hide();
    const { waiting } = this.#attention;
    const paused = sessions.find(isPaused);
    if (paused) this.#showPaused(paused);
    else if (waiting.length > 0) this.#showWaiting(waiting);
    else this.#showRecorded(first, sessions);
    this.#item.tooltip = this.#tooltip(sessions);
    this.#item.show();
  }

  #showPaused(session: Session): void {
    const what = vscode.l10n.t('{0} · not recorded', sessionName(session));
    this.#item.text = `$(debug-pause) ${plainLabel(what)}`;
    this.#item.accessibilityInformation = { label: what };
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#item.command = {
      command: COMMANDS.resumeRecording,
      title: vscode.l10n.t('Resume Recording'),
      arguments: [session],
    };
  }

  #showWaiting(waiting: readonly WaitingSession[]): void {
    const [{ session, status }] = waiting as [WaitingSession];
    const isAsked = status.status === 'waiting_approval';
    const what =
      waiting.length === 1
        ? vscode.l10n.t('{0} {1}', sessionName(session), statusLabel(status) ?? '')
        : vscode.l10n.t('{0} sessions are waiting for you', String(waiting.length));
    this.#item.text = `${isAsked ? '$(bell-dot)' : '$(comment-unresolved)'} ${plainLabel(what)}`;
    this.#item.accessibilityInformation = { label: what };
    this.#item.backgroundColor = isAsked
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.#item.command =
      waiting.length === 1
        ? { command: COMMANDS.revealPrompt, title: vscode.l10n.t('Reveal'), arguments: [session] }
        : COMMANDS.showWaiting;
  }

  #showRecorded(first: Session, sessions: readonly Session[]): void {
    const status = this.#live.status(first.meta.id);
    const words = sessions.length === 1 && status ? statusLabel(status) : undefined;
    const what =
      sessions.length === 1
        ? sessionName(first)
        : vscode.l10n.t('{0} sessions', String(sessions.length));
    this.#item.text = `$(record) ${plainLabel(words === undefined ? what : `${what} · ${words}`)}`;
    this.#item.backgroundColor = undefined;
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Recording {0}', what) };
    this.#item.command = {
      command: COMMANDS.openTimeline,
      title: vscode.l10n.t('Open Timeline'),
      ...(sessions.length === 1 && { arguments: [first] }),
    };
  }

  #tooltip(sessions: readonly Session[]): vscode.MarkdownString {
    const text = new vscode.MarkdownString();
    text.appendText(vscode.l10n.t('Recording:')).appendMarkdown('\n\n');
    for (const session of sessions) {
      const status = this.#live.status(session.meta.id);
      const doing = (status && statusText(status)) ?? stateText(session);
      const state = isPaused(session) ? vscode.l10n.t('{0} · recording paused', doing) : doing;
      text.appendMarkdown('- ').appendText(`${sessionName(session)}, ${state}`);
      if (status) text.appendMarkdown('  \n').appendText(evidenceText(status));
      text.appendMarkdown('\n');
    }
    return text;
  }
}
