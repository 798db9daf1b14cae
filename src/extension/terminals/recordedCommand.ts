import * as vscode from 'vscode';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';

/** Something to record: what runs, and what it is called. */
export interface RecordedCommand {
  readonly cmd: readonly string[];
  /** On the terminal's tab. */
  readonly name: string;
  /** Id of a known agent. */
  readonly agent?: string;
  /** The name was chosen by a person, and says more than the program's. */
  readonly isNamed?: boolean;
  /** The branch that it runs in, which says how. */
  readonly branch?: BranchRecord;
}

const MAX_NAME_LENGTH = 40;

/** The user's shell. A window that has only just opened does not know the editor's choice yet. */
export function defaultShell(): string {
  const { COMSPEC, SHELL } = process.env;
  const usual = process.platform === 'win32' ? COMSPEC || 'cmd.exe' : SHELL || '/bin/sh';
  return vscode.env.shell || usual;
}

/** A line as a person would type it at a prompt: the user's shell takes it apart. */
export function shellCommand(line: string): RecordedCommand {
  const isWindows = process.platform === 'win32';
  const cmd = isWindows ? ['cmd.exe', '/d', '/s', '/c', line] : [defaultShell(), '-c', line];
  return { cmd, name: commandName(line), isNamed: true };
}

/** A command line made short: files without their folders, and only the beginning of a long one. */
function commandName(line: string): string {
  const name = line.replace(/(^|\s)[~.]{0,2}\/\S*?([^\s/]+)(?=\s|$)/g, '$1$2');
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

/** The line given to {@link shellCommand}, if it was that. */
export function shellLineOf(cmd: readonly string[]): string | undefined {
  const [, option, line, ...rest] = cmd;
  return option === '-c' && rest.length === 0 ? line : undefined;
}
