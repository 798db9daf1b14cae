import * as vscode from 'vscode';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { showWarning } from '../messages.ts';
import { sessionName, type Session } from './session.ts';

/**
 * Asks before stopping. The question names the session, because the list may have moved under the
 * pointer.
 */
export async function confirmStop(session: Session): Promise<boolean> {
  const stop = vscode.l10n.t('Stop');
  const question = vscode.l10n.t('Stop “{0}”?', sessionName(session));
  const detail =
    session.notes.agent === undefined
      ? vscode.l10n.t('The program ends; the recording is kept.')
      : vscode.l10n.t('The agent’s program ends; the recording is kept.');
  return (await showWarning(question, { modal: true, detail }, stop)) === stop;
}

/** Ends a session's program without asking. */
export async function stopSession(session: Session): Promise<void> {
  const client = await RecorderClient.connect(session.meta.hostSocket);
  try {
    await client.stop();
  } finally {
    client.dispose();
  }
}
