import * as vscode from 'vscode';
import { setCapture } from '../../sessions/node/setCapture.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation } from '../messages.ts';
import type { Services } from '../services.ts';
import { isRunning, sessionName } from '../sessions/session.ts';

/** Handles `AH: Pause Following the Agent` and `AH: Resume Following the Agent`. */
export async function switchCapture(
  argument: unknown,
  isOn: boolean,
  { chooser, store }: Services,
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: (each) => isRunning(each) && (each.notes.isCaptureOff === true) === isOn,
    placeHolder: isOn
      ? vscode.l10n.t('Select a session whose agent to follow again')
      : vscode.l10n.t('Select a session whose agent to stop following'),
    none: isOn
      ? vscode.l10n.t('The agents of all running sessions are followed.')
      : vscode.l10n.t('No agent of a running session is followed.'),
  });
  if (!session) return;
  await setCapture(session, isOn);
  await store.refresh();
  if (isOn) return;
  const resume = vscode.l10n.t('Resume');
  const text = vscode.l10n.t(
    'The agent of “{0}” is not followed: the terminal is recorded, agent activity and input are not.',
    sessionName(session),
  );
  void showInformation(text, resume).then((choice) => {
    const command = COMMANDS.resumeCapture;
    return choice === resume && vscode.commands.executeCommand(command, session);
  });
}
