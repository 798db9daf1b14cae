import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { COMMANDS } from '../contributions.ts';
import {
  MOMENT_ACTIONS,
  type ActionParams,
  type MomentAction,
} from '../../timeline/common/webviewProtocol.ts';

/** The command behind each action. An action is offered when its command is registered, by whatever part brings it. */
const COMMAND_OF: Readonly<Record<Exclude<MomentAction, 'link'>, string>> = {
  reveal: COMMANDS.revealPrompt,
  branch: COMMANDS.branchHere,
  snapshot: COMMANDS.openSnapshot,
  diff: COMMANDS.showChangesOfSnapshot,
  restore: COMMANDS.restoreSnapshot,
  pin: COMMANDS.pinSnapshot,
};

/** What the command of an action gets: a place of a session, and the moment there. */
export interface MomentArgument {
  /** As in a session, so that commands which are about sessions find theirs; nothing for a file that belongs to none. */
  readonly meta: { readonly id: string } | undefined;
  readonly recording: string;
  readonly momentId: string | undefined;
  /** Decimal. */
  readonly snapshotId: string | undefined;
  readonly byteOffset: number;
  /** Nanoseconds since the epoch, decimal. */
  readonly tsNs: string;
}

/**
 * @param commands that are registered
 * @param isSession a file that belongs to no session has no link that would lead back to it
 */
export function availableActions(commands: readonly string[], isSession: boolean): MomentAction[] {
  const registered = new Set(commands);
  return MOMENT_ACTIONS.filter((action) =>
    action === 'link' ? isSession : registered.has(COMMAND_OF[action]),
  );
}

export async function runMomentAction(
  { action }: ActionParams,
  argument: MomentArgument,
): Promise<void> {
  const sessionId = argument.meta?.id;
  const commands = await vscode.commands.getCommands(true);
  if (!availableActions(commands, sessionId !== undefined).includes(action)) {
    throw new UserError('no-action', vscode.l10n.t('This cannot be done here yet.'));
  }
  if (action === 'link') return copyLink(sessionId ?? '', argument.byteOffset);
  await vscode.commands.executeCommand(COMMAND_OF[action], argument);
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
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied a link to this moment.'), 3000);
}
