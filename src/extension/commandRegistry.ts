import * as vscode from 'vscode';
import { messageOf, UserError } from '../base/errors.ts';
import { COMMANDS, type CommandId } from './contributions.ts';
import { showError } from './messages.ts';
import { showUserError } from './remedies.ts';

/**
 * Runs a command. The handler has to check the argument, because menus and other extensions pass
 * it.
 */
export type CommandHandler = (argument?: unknown) => Promise<unknown>;

export type CommandHandlers = { readonly [id in CommandId]?: CommandHandler };

/**
 * Registers commands. Shows each failure once: the message of a `UserError`, or a hint to the log
 * for any other error.
 */
export function registerCommands(
  handlers: CommandHandlers,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const registrations = Object.entries(handlers).map(([id, handler]) =>
    vscode.commands.registerCommand(id, (argument?: unknown) =>
      reportFailure(id, log, () => handler(argument)),
    ),
  );
  return vscode.Disposable.from(...registrations);
}

/** Runs `task`. If it throws, logs and shows the error, and returns undefined. */
export async function reportFailure<T>(
  what: string,
  log: vscode.LogOutputChannel,
  task: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof UserError) {
      log.warn(`${what}: ${error.message} (${error.code})`, error.cause ?? '');
      void showUserError(error);
    } else {
      log.error(`${what}: ${error instanceof Error ? error.stack : messageOf(error)}`);
      void offerLog(what);
    }
    return undefined;
  }
}

async function offerLog(what: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('{0} failed. See the log for details.', what);
  if ((await showError(message, showLog)) === showLog) {
    await vscode.commands.executeCommand(COMMANDS.showLog);
  }
}
