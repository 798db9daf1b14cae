import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import { COMMANDS } from '../contributions.ts';
import { isRunning, sessionName } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';
import type { Attention } from './attention.ts';
import { evidenceText, statusIcon, statusText } from './statusStyle.ts';

/** `AH: Show Sessions Waiting on Me`: those that ask first; the one that is picked is shown. */
export async function showWaiting(attention: Attention): Promise<void> {
  const { waiting } = attention;
  if (waiting.length === 0) {
    throw new UserError('none-waits', vscode.l10n.t('No session waits for you.'));
  }
  const items = waiting.map(({ session, status }) => {
    const iconPath = statusIcon(status);
    return {
      label: sessionName(session),
      description: statusText(status) ?? '',
      detail: evidenceText(status),
      ...(iconPath && { iconPath }),
      session,
    };
  });
  const placeHolder = vscode.l10n.t('Which one shall be shown?');
  const item = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  if (item) await vscode.commands.executeCommand(COMMANDS.revealPrompt, item.session);
}

/** `AH: Reveal Agent’s Prompt`: the terminal in front, with the focus, where the agent asks. */
export async function revealPrompt(
  argument: unknown,
  parts: {
    readonly chooser: SessionChooser;
    readonly terminals: SessionTerminals;
    readonly live: LiveSessions;
  },
): Promise<void> {
  const { chooser, terminals, live } = parts;
  const session = await chooser.choose(argument, {
    accepts: (each) => isRunning(each) && live.status(each.meta.id) !== undefined,
    placeHolder: vscode.l10n.t('Which session shall be shown?'),
    none: vscode.l10n.t('No agent is running.'),
  });
  if (!session) return;
  await terminals.attach(session);
  // Whoever scrolled up to read is taken back to where the question is.
  await vscode.commands.executeCommand('workbench.action.terminal.scrollToBottom');
}
