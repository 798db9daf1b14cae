import type * as vscode from 'vscode';
import { registerCommands } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import type { Services } from '../services.ts';
import { reportProblem } from './reportProblem.ts';

/** Registers `AH: Show Log` and `AH: Report Problem`. */
export function registerDiagnostics(
  context: vscode.ExtensionContext,
  { log, store }: Services,
): vscode.Disposable {
  return registerCommands(
    {
      [COMMANDS.showLog]: () => Promise.resolve(log.show()),
      [COMMANDS.reportProblem]: () => reportProblem(context, store),
    },
    log,
  );
}
