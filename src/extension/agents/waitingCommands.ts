import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { COMMANDS } from '../contributions.ts';
import { isRunning } from '../sessions/session.ts';
import { sessionRow } from '../sessions/list/sessionRow.ts';
import type { Services } from '../services.ts';
import type { Attention } from './attention.ts';
import { evidenceText, statusIcon, statusText } from './statusStyle.ts';

/** Handles `AH: Show Sessions Waiting for You`. */
export async function showWaiting(attention: Attention): Promise<void> {
  const { waiting } = attention;
  if (waiting.length === 0) {
    throw new UserError('none-waits', vscode.l10n.t('No session is waiting for you.'));
  }
  const items = waiting.map(({ session, status }) => {
    const iconPath = statusIcon(status);
    const row = sessionRow(session, statusText(status));
    return {
      ...row,
      description: `${row.description} · ${row.detail}`,
      detail: evidenceText(status),
      ...(iconPath && { iconPath }),
      session,
    };
  });
  const placeHolder = vscode.l10n.t('Select a session to show');
  const item = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  if (item) await vscode.commands.executeCommand(COMMANDS.revealPrompt, item.session);
}

/** Handles `AH: Reveal Agent Prompt`: focuses the session's terminal. */
export async function revealPrompt(
  argument: unknown,
  { chooser, terminals, live }: Services,
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: (each) => isRunning(each) && live.status(each.meta.id) !== undefined,
    placeHolder: vscode.l10n.t('Select a session to show'),
    none: vscode.l10n.t('No agent is running.'),
  });
  if (!session) return;
  await terminals.attach(session);
  // The prompt is at the bottom; the user may have scrolled up.
  await vscode.commands.executeCommand('workbench.action.terminal.scrollToBottom');
}
