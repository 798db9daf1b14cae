import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { showWarning } from '../messages.ts';
import { isRunning, sessionName, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/** A program may take this long to end. */
const END_TIMEOUT_MS = 15_000;
const POLL_MS = 100;

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

/** Waits until a stopped session has ended. @returns false if it runs on */
export async function hasEnded(id: string, store: SessionStore): Promise<boolean> {
  const deadline = Date.now() + END_TIMEOUT_MS;
  for (;;) {
    await store.refresh();
    const session = store.get(id);
    if (!session || !isRunning(session)) return true;
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
}
