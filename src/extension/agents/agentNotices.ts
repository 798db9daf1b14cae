import * as vscode from 'vscode';
import { oneLine } from '../../agents/common/bounded.ts';
import { NoticeLimit, noticesOf, type AgentNotice } from '../../agents/common/status/notice.ts';
import { redactSecrets, secretsIn } from '../../redaction/redact.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { SessionNews } from '../../agents/node/capture/followedSession.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import { configuration } from '../configuration.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation, showWarning } from '../messages.ts';
import { sessionName, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { belongsToWorkspace } from '../workspaceKey.ts';
import type { Attention } from './attention.ts';

/**
 * Delay before a notification: an agent's own rules may answer an approval at once, and only
 * approvals that stay open need the user.
 */
const SETTLE_MS = 1000;

/** Notifies the user about an agent unless its terminal is in focus. */
export class AgentNotices implements Disposable {
  readonly #store: SessionStore;
  readonly #live: LiveSessions;
  readonly #attention: Attention;
  readonly #limit = new NoticeLimit();
  readonly #resources = new DisposableStore();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(store: SessionStore, live: LiveSessions, attention: Attention) {
    this.#store = store;
    this.#live = live;
    this.#attention = attention;
    this.#resources.add(live.onNews((news) => this.#schedule(news)));
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#resources.dispose();
  }

  #schedule(news: SessionNews): void {
    for (const notice of noticesOf(news)) {
      if (!configuration().notifies[notice.kind]) continue;
      // The user saw it, even if they leave the terminal before the delay ends. An approval still
      // needs them then.
      if (notice.kind !== 'approval' && this.#attention.hasFocus(news.id)) continue;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        void this.#notify(news.id, notice);
      }, SETTLE_MS);
      this.#timers.add(timer);
    }
  }

  async #notify(id: string, notice: AgentNotice): Promise<void> {
    const session = this.#store.get(id);
    if (!session || !belongsToWorkspace(session) || !this.#isCurrent(id, notice)) return;
    if (this.#attention.hasFocus(id)) return;
    if (!this.#limit.mayShow(id, notice.kind, Date.now())) return;
    const reveal = vscode.l10n.t('Reveal');
    const timeline = vscode.l10n.t('Open Timeline');
    const show = notice.kind === 'finished' ? showInformation : showWarning;
    const choice = await show(noticeText(session, notice), reveal, timeline);
    if (choice === reveal) await vscode.commands.executeCommand(COMMANDS.revealPrompt, session);
    if (choice === timeline) await vscode.commands.executeCommand(COMMANDS.openTimeline, session);
  }

  #isCurrent(id: string, { kind }: AgentNotice): boolean {
    const status = this.#live.status(id);
    if (kind === 'approval') return status?.status === 'waiting_approval';
    if (kind === 'finished') return status?.isPromptReady === true;
    return status !== undefined;
  }
}

function noticeText(session: Session, { kind, subject, concern }: AgentNotice): string {
  const name = sessionName(session);
  const what = oneLine(redactSecrets(subject, secretsIn(process.env)));
  switch (kind) {
    case 'approval':
      return concern
        ? vscode.l10n.t('“{0}” has been waiting for approval for five minutes: {1}', name, what)
        : vscode.l10n.t('“{0}” needs approval: {1}', name, what);
    case 'finished':
      return what === ''
        ? vscode.l10n.t('“{0}” has finished and is waiting for you.', name)
        : vscode.l10n.t('“{0}” has finished: {1}', name, what);
    case 'failing':
      return vscode.l10n.t('“{0}” keeps failing: {1}', name, what);
    case 'looping':
      return concern?.kind === 'editRevert'
        ? vscode.l10n.t('“{0}” keeps making and reverting the same change: {1}', name, what)
        : vscode.l10n.t('“{0}” repeats itself: {1}', name, what);
    case 'stuck':
      return vscode.l10n.t('“{0}” has been inactive for three minutes.', name);
  }
}
