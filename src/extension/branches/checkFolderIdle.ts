import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { sessionsInFolder } from '../../branching/node/remove/sessionsInFolder.ts';
import { COMMANDS } from '../contributions.ts';
import { showWarning } from '../messages.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

/**
 * Refuses to restore a folder while a session runs in it, and offers to stop the session.
 * @throws UserError with an explanation
 */
export async function checkFolderIdle(
  folder: string,
  store: Pick<SessionStore, 'get'>,
): Promise<void> {
  const running = (await sessionsInFolder(folder)).find(({ isRunning }) => isRunning);
  if (!running) return;
  void offerStop(running.name, store.get(running.meta.id));
  const text = vscode.l10n.t(
    'Can’t restore the files of {0}: session “{1}” runs there.',
    folder,
    running.name,
  );
  throw new UserError('session-running', text);
}

async function offerStop(name: string, session: unknown): Promise<void> {
  const stop = vscode.l10n.t('Stop Session');
  const text = vscode.l10n.t('Stop “{0}” first, then branch in its folder.', name);
  if ((await showWarning(text, stop)) === stop)
    await vscode.commands.executeCommand(COMMANDS.stopSession, session);
}
