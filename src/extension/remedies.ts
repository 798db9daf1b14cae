import * as vscode from 'vscode';
import type { Remedy, UserError } from '../base/errors.ts';
import { COMMANDS } from './contributions.ts';
import { showError } from './messages.ts';

interface Button {
  readonly label: string;
  readonly command: string;
  readonly argument?: unknown;
}

/**
 * Shows an error, with a button for its remedy if it has one. Repeats the failed command only where
 * the remedy names it, and only when the user went through with the remedy.
 */
export async function showUserError({ message, remedy }: UserError): Promise<void> {
  if (!remedy) {
    await showError(message);
    return;
  }
  const { label, command, argument } = buttonOf(remedy);
  if ((await showError(message, label)) !== label) return;
  const isDone: unknown = await vscode.commands.executeCommand(command, argument);
  if (remedy.kind !== 'stopSession' || !remedy.next || isDone !== true) return;
  const { kind, sessionId } = remedy.next;
  await vscode.commands.executeCommand(COMMANDS[kind], { meta: { id: sessionId } });
}

function buttonOf(remedy: Remedy): Button {
  switch (remedy.kind) {
    case 'trustWorkspace':
      return {
        label: vscode.l10n.t('Manage Workspace Trust'),
        command: 'workbench.trust.manage',
      };
    case 'openTranscript':
      return { label: vscode.l10n.t('Open Transcript…'), command: COMMANDS.openTranscript };
    case 'stopSession':
      return {
        label: vscode.l10n.t('Stop Session'),
        command: COMMANDS.stopSession,
        argument: { meta: { id: remedy.sessionId } },
      };
    case 'resumeRecording':
      return {
        label: vscode.l10n.t('Resume Recording'),
        command: COMMANDS.resumeRecording,
        argument: { meta: { id: remedy.sessionId } },
      };
    case 'discardBranch':
      return {
        label: vscode.l10n.t('Discard Branch…'),
        command: COMMANDS.discardBranch,
        argument: { meta: { id: remedy.sessionId } },
      };
  }
}
