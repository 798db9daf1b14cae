import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { sessionsInFolder } from '../../branching/node/remove/sessionsInFolder.ts';

/**
 * Refuses to restore a folder while a session runs in it.
 * @throws UserError whose button stops the session
 */
export async function checkFolderIdle(folder: string): Promise<void> {
  const running = (await sessionsInFolder(folder)).find(({ isRunning }) => isRunning);
  if (!running) return;
  const text = vscode.l10n.t(
    'Can’t restore the files of {0}: session “{1}” runs there. Stop it first.',
    folder,
    running.name,
  );
  const remedy = { kind: 'stopSession', sessionId: running.meta.id } as const;
  throw new UserError('session-running', text, { remedy });
}
