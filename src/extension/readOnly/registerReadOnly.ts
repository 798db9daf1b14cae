import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { registerCommands } from '../commandRegistry.ts';
import { setContextKey } from '../contextKeys.ts';
import { COMMANDS, CONTEXT_KEYS, EDITORS, TERMINAL_PROFILES, VIEWS } from '../contributions.ts';

/** Why a window without a recorder refuses a command, and what to do. */
export function readOnlyReason(): string {
  return vscode.l10n.t(
    'Recording needs VS Code on Linux or macOS, or a window that is connected to such a machine. Here you can open and read recordings.',
  );
}

/**
 * Registers commands and views where no recorder can run: recordings can be opened, and other
 * commands explain why they can't run.
 */
export function registerReadOnly(log: vscode.LogOutputChannel): vscode.Disposable {
  void setContextKey(CONTEXT_KEYS.isReadOnly, true);
  const refuse = () => Promise.reject(new UserError('read-only', readOnlyReason()));
  const refused = Object.values(COMMANDS).map((id) => [id, refuse] as const);
  return vscode.Disposable.from(
    registerCommands(
      {
        ...Object.fromEntries(refused),
        [COMMANDS.openRecording]: openRecording,
        [COMMANDS.refreshSessions]: () => Promise.resolve(),
        [COMMANDS.showLog]: () => Promise.resolve(log.show()),
      },
      log,
    ),
    ...Object.values(VIEWS).map((view) =>
      vscode.window.registerTreeDataProvider(view, {
        getChildren: () => [],
        getTreeItem: () => new vscode.TreeItem(''),
      }),
    ),
    vscode.window.registerTerminalProfileProvider(TERMINAL_PROFILES.recordedAgent, {
      provideTerminalProfile: () => Promise.reject(new Error(readOnlyReason())),
    }),
  );
}

async function openRecording(): Promise<void> {
  const [file] =
    (await vscode.window.showOpenDialog({ filters: { [vscode.l10n.t('Recordings')]: ['ahr'] } })) ??
    [];
  if (file) await vscode.commands.executeCommand('vscode.openWith', file, EDITORS.recording);
}
