import * as vscode from 'vscode';
import { agentOfCommand } from '../../agents/common/agentCommand.ts';
import { interactiveShellIn } from '../../agents/common/shellSession.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';

/** A command to record, with its name. */
export interface RecordedCommand {
  readonly cmd: readonly string[];
  /** The title of the terminal. */
  readonly name: string;
  /** ID of a known agent. */
  readonly agent?: string;
  /** Whether the session is named after `name`, not after its program. */
  readonly isNamed?: boolean;
  /** The folder in which the command runs; by default the workspace folder of the active editor. */
  readonly cwd?: string;
  /** The branch that the command starts. */
  readonly branch?: BranchRecord;
}

const MAX_NAME_LENGTH = 40;

/** The user's shell. `vscode.env.shell` is empty while a window opens. */
export function defaultShell(): string {
  return vscode.env.shell || process.env['SHELL'] || '/bin/sh';
}

/** Runs a command line in the user's shell; a line that starts a shell runs without it. */
export function shellCommand(line: string): RecordedCommand {
  const cmd = interactiveShellIn(line) ?? [defaultShell(), '-c', line];
  const agent = agentOfCommand(cmd);
  const command = { cmd, name: commandName(line), isNamed: true };
  return agent ? { ...command, agent: agent.id } : command;
}

/** Shortens a command line: drops the folders of paths, and truncates the rest. */
function commandName(line: string): string {
  const name = line.replace(/(^|\s)[~.]{0,2}\/\S*?([^\s/]+)(?=\s|$)/g, '$1$2');
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

/** The command line that was passed to {@link shellCommand}; undefined for other commands. */
export function shellLineOf(cmd: readonly string[]): string | undefined {
  const [, option, line, ...rest] = cmd;
  return option === '-c' && rest.length === 0 ? line : undefined;
}
