import * as vscode from 'vscode';
import { configuration } from '../configuration.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation, showWarning } from '../messages.ts';
import { attachCommand } from '../terminals/installedCli.ts';
import { sessionName, type Session } from './session.ts';
import { stopSession } from './stopSession.ts';
import { belongsToWorkspace } from '../workspaceKey.ts';

/**
 * After the user closed a terminal: tells the user that the session is still running, or stops it
 * (setting `ah.terminal.onClose`).
 */
export async function notifyDetached(session: Session): Promise<void> {
  if (configuration().terminalOnClose === 'stop') {
    await stopSession(session);
    return;
  }
  // The notice names the session, so its button stops the session without another question.
  const show = vscode.l10n.t('Show Again');
  const stop = vscode.l10n.t('Stop');
  const text = vscode.l10n.t('“{0}” is still running and being recorded.', sessionName(session));
  const choice = await showInformation(text, show, stop);
  if (choice === show) await vscode.commands.executeCommand(COMMANDS.attachSession, session);
  if (choice === stop) await stopSession(session);
}

/** After the extension was uninstalled: tells the user how to attach to sessions that still run. */
export async function notifyRemoved(running: readonly Session[]): Promise<void> {
  const [first] = running;
  if (!first) return;
  const copy = vscode.l10n.t('Copy Command');
  const command = attachCommand(first.meta.id);
  const text = vscode.l10n.t(
    '“{0}” is still running and being recorded. To see it again, reinstall AH Time Travel, or run in a terminal: {1}',
    running.map(sessionName).join('”, “'),
    command,
  );
  if ((await showWarning(text, copy)) === copy) {
    await vscode.env.clipboard.writeText(command);
  }
}

/** After a recorder was killed: offers to open its recording. */
export async function notifyInterrupted(session: Session): Promise<void> {
  if (!belongsToWorkspace(session)) return;
  const open = vscode.l10n.t('Open Recording');
  const text = vscode.l10n.t(
    'The recorder of “{0}” was killed. Its recording is complete up to then.',
    sessionName(session),
  );
  if ((await showWarning(text, open)) === open) {
    await vscode.commands.executeCommand(COMMANDS.openRecording, session);
  }
}
