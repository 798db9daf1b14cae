import * as vscode from 'vscode';
import { setCapture } from '../../sessions/node/setCapture.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation } from '../messages.ts';
import { isRunning, sessionName } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

/** `AH: Pause Capture` and `AH: Resume Capture`: what is kept of a running session beside its terminal. */
export async function switchCapture(
  argument: unknown,
  isOn: boolean,
  { chooser, store }: { readonly chooser: SessionChooser; readonly store: SessionStore },
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: (each) => isRunning(each) && (each.notes.isCaptureOff === true) === isOn,
    placeHolder: isOn
      ? vscode.l10n.t('Of which session shall be captured again what its agent does?')
      : vscode.l10n.t('Of which session shall only the terminal be recorded?'),
    none: isOn
      ? vscode.l10n.t('No session is running whose capture is paused.')
      : vscode.l10n.t('No session is running whose capture could be paused.'),
  });
  if (!session) return;
  await setCapture(session, isOn);
  await store.refresh();
  if (isOn) return;
  const resume = vscode.l10n.t('Resume');
  const text = vscode.l10n.t(
    'Only the terminal of “{0}” is recorded now. What its agent does and what you type is not kept, nor told later.',
    sessionName(session),
  );
  void showInformation(text, resume).then((choice) => {
    const command = COMMANDS.resumeCapture;
    return choice === resume && vscode.commands.executeCommand(command, session);
  });
}
