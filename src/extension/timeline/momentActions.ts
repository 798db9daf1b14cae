import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { MomentArgument } from '../branches/momentArgument.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation } from '../messages.ts';
import {
  MOMENT_ACTIONS,
  type ActionRequest,
  type MomentAction,
} from '../../timeline/common/protocol/timelineProtocol.ts';

/** The command of each action. An action is available when its command is registered. */
const COMMAND_OF: Readonly<Record<Exclude<MomentAction, 'link'>, string>> = {
  reveal: COMMANDS.revealPrompt,
  branch: COMMANDS.branchHere,
  snapshot: COMMANDS.openSnapshot,
  diff: COMMANDS.showChangesOfSnapshot,
  restore: COMMANDS.restoreSnapshot,
  pin: COMMANDS.pinSnapshot,
};

/**
 * @param commands the registered commands
 * @param isSession false for a recording without a session, which has no snapshots and no moments
 * to link to
 */
export function availableActions(commands: readonly string[], isSession: boolean): MomentAction[] {
  if (!isSession) return [];
  const registered = new Set(commands);
  return MOMENT_ACTIONS.filter((action) => action === 'link' || registered.has(COMMAND_OF[action]));
}

/** @returns what the command returns */
export async function runMomentAction(
  { action }: ActionRequest,
  argument: MomentArgument,
): Promise<unknown> {
  const sessionId = argument.meta?.id;
  const commands = await vscode.commands.getCommands(true);
  if (!availableActions(commands, sessionId !== undefined).includes(action)) {
    throw new UserError('no-action', vscode.l10n.t('This action is not available in this window.'));
  }
  if (action === 'link') return copyLink(sessionId ?? '', argument.byte ?? 0);
  return vscode.commands.executeCommand(COMMAND_OF[action], argument);
}

async function copyLink(session: string, byteOffset: number): Promise<void> {
  const query = new URLSearchParams({ session, at: `@${byteOffset}` });
  const link = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: 'ah-time-travel.ah-time-travel',
    path: '/timeline',
    query: query.toString(),
  });
  await vscode.env.clipboard.writeText(link.toString());
  // Show a notification: a message in the status bar is easy to miss.
  void showInformation(vscode.l10n.t('Copied link to this moment.'));
}
