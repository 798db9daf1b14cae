import * as vscode from 'vscode';
import { configuration } from './configuration.ts';
import { COMMANDS } from './contributions.ts';
import { showInformation, showWarning } from './messages.ts';
import { attachCommandLine } from './terminals/installedCli.ts';
import { sessionName, type Session } from './sessions/session.ts';
import { belongsToWorkspace } from './workspaceKey.ts';

/** A closed terminal does not end what runs in it: say so, or end it where that is what the user wants always. */
export async function noticeDetached(session: Session): Promise<void> {
  if (configuration().terminalOnClose === 'stop') {
    await vscode.commands.executeCommand(COMMANDS.stopSession, session);
    return;
  }
  const show = vscode.l10n.t('Show Again');
  const stop = vscode.l10n.t('Stop');
  const text = vscode.l10n.t('“{0}” keeps running and is being recorded.', sessionName(session));
  const choice = await showInformation(text, show, stop);
  if (choice === show) await vscode.commands.executeCommand(COMMANDS.attachSession, session);
  if (choice === stop) await vscode.commands.executeCommand(COMMANDS.stopSession, session);
}

/** The extension is being uninstalled: its sessions run on, and there is a way to them without it. */
export async function noticeRemoved(running: readonly Session[]): Promise<void> {
  const [first] = running;
  if (!first) return;
  const copy = vscode.l10n.t('Copy Command');
  const command = attachCommandLine(first.meta.id);
  const text = vscode.l10n.t(
    '“{0}” keeps running and is being recorded. Install AH Time Travel again and it is back, or type in a terminal: {1}',
    running.map(sessionName).join('”, “'),
    command,
  );
  if ((await showWarning(text, copy)) === copy) {
    await vscode.env.clipboard.writeText(command);
  }
}

/** A recorder that was killed left a good recording: say where. */
export async function noticeInterrupted(session: Session): Promise<void> {
  if (!belongsToWorkspace(session)) return;
  const open = vscode.l10n.t('Open Recording');
  const text = vscode.l10n.t(
    'The recorder of “{0}” was killed. What it wrote until then is kept.',
    sessionName(session),
  );
  if ((await showWarning(text, open)) === open) {
    await vscode.commands.executeCommand(COMMANDS.openRecording, session);
  }
}
