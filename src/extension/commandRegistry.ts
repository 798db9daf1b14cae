import * as vscode from 'vscode';
import { messageOf, UserError } from '../base/errors.ts';
import { COMMANDS, type CommandId } from './contributions.ts';
import { showError } from './messages.ts';

/** What a command does; the arguments come from menus and from other extensions, and are checked by the handler. */
export type CommandHandler = (argument?: unknown) => Promise<unknown>;

export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

/** Registers every command. A failure is shown once: as it is when it was written for a person, else as a bug. */
export function registerCommands(
  handlers: CommandHandlers,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const registrations = Object.values(COMMANDS).map((id) =>
    vscode.commands.registerCommand(id, (argument?: unknown) =>
      reportFailure(id, log, () => handlers[id](argument)),
    ),
  );
  return vscode.Disposable.from(...registrations);
}

/** Runs `task`; what it throws is logged and shown, and the result is then undefined. */
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
      void showError(error.message);
    } else {
      log.error(`${what}: ${error instanceof Error ? error.stack : messageOf(error)}`);
      void offerLog(what);
    }
    return undefined;
  }
}

async function offerLog(what: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('{0} failed, see the log.', what);
  if ((await showError(message, showLog)) === showLog) {
    await vscode.commands.executeCommand(COMMANDS.showLog);
  }
}
