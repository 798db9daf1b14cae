import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { setPaused } from '../../sessions/node/setPaused.ts';
import { COMMANDS } from '../contributions.ts';
import { showWarning } from '../messages.ts';
import type { Services } from '../services.ts';
import { isPaused, isRunning, sessionName, type Session } from './session.ts';

/** Handles `AH: Pause Recording` and `AH: Resume Recording`. */
export async function switchRecording(
  argument: unknown,
  isOn: boolean,
  { chooser, store }: Services,
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: (each) => isRunning(each) && isPaused(each) === isOn,
    placeHolder: isOn
      ? vscode.l10n.t('Select a session to resume recording')
      : vscode.l10n.t('Select a session to pause recording'),
    none: isOn
      ? vscode.l10n.t('No recording is paused.')
      : vscode.l10n.t('No session is being recorded.'),
  });
  if (!session) return;
  await setPaused(session, !isOn);
  await store.refresh();
  if (isOn) return;
  const resume = vscode.l10n.t('Resume Recording');
  const text = vscode.l10n.t(
    'Recording of “{0}” is paused: this session stores nothing until you resume. Other sessions in this folder still store its files.',
    sessionName(session),
  );
  void showWarning(text, resume).then((choice) => {
    const command = COMMANDS.resumeRecording;
    return choice === resume && vscode.commands.executeCommand(command, session);
  });
}

/**
 * Refuses actions that need a recording, such as a snapshot, while it is paused. @throws UserError
 */
export function checkNotPaused(session: Session): void {
  if (!isPaused(session)) return;
  const text = vscode.l10n.t(
    'The recording of “{0}” is paused. Resume it first.',
    sessionName(session),
  );
  const remedy = { kind: 'resumeRecording', sessionId: session.meta.id } as const;
  throw new UserError('recording-paused', text, { remedy });
}
