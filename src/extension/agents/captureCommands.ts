import * as vscode from 'vscode';
import { setCapture } from '../../sessions/node/setCapture.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation } from '../messages.ts';
import type { Services } from '../services.ts';
import { isRunning, sessionName } from '../sessions/session.ts';

/** Handles `AH: Pause Capture` and `AH: Resume Capture`. */
export async function switchCapture(
  argument: unknown,
  isOn: boolean,
  { chooser, store }: Services,
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: (each) => isRunning(each) && (each.notes.isCaptureOff === true) === isOn,
    placeHolder: isOn
      ? vscode.l10n.t('Select a session to resume capture')
      : vscode.l10n.t('Select a session to pause capture'),
    none: isOn
      ? vscode.l10n.t('Capture is not paused in any running session.')
      : vscode.l10n.t('Capture is not active in any running session.'),
  });
  if (!session) return;
  await setCapture(session, isOn);
  await store.refresh();
  if (isOn) return;
  const resume = vscode.l10n.t('Resume');
  const text = vscode.l10n.t(
    'Capture paused for “{0}”: the terminal is recorded, agent activity and input are not.',
    sessionName(session),
  );
  void showInformation(text, resume).then((choice) => {
    const command = COMMANDS.resumeCapture;
    return choice === resume && vscode.commands.executeCommand(command, session);
  });
}
