import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { agentCommand } from '../../agents/common/agentCommand.ts';
import type { KnownAgent } from '../../agents/common/detect.ts';
import { shellQuoted } from '../../agents/common/shellQuoted.ts';
import { splitShellWords } from '../../agents/common/shellWords.ts';
import type { Session } from '../sessions/session.ts';

/** The last arguments that the user gave to an agent; empty when there were none. */
export function lastArguments({ id }: KnownAgent, sessions: readonly Session[]): string {
  for (const { meta } of sessions) {
    const command = meta.branchOf ? undefined : agentCommand(meta.cmd);
    if (command?.agent.id === id && command.args.length > 0)
      return command.args.map(shellQuoted).join(' ');
  }
  return '';
}

/** Asks for an agent's arguments. @returns undefined if the user cancelled */
export async function askArguments(
  { name }: KnownAgent,
  last: string,
): Promise<readonly string[] | undefined> {
  const line = await vscode.window.showInputBox({
    title: vscode.l10n.t('Record {0} with Arguments', name),
    prompt: vscode.l10n.t('Arguments of the agent, as you would type them in a shell'),
    placeHolder: '--model opus',
    value: last,
    ignoreFocusOut: true,
    validateInput: (text) =>
      splitShellWords(text)
        ? undefined
        : vscode.l10n.t('Put words with special characters in single quotes.'),
  });
  if (line === undefined) return undefined;
  return (splitShellWords(line) ?? []).map(({ text }) => text.replace(/^~(?=\/|$)/, homedir()));
}
