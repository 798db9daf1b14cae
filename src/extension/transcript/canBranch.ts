import * as vscode from 'vscode';
import { COMMANDS } from '../contributions.ts';

export async function canBranch(): Promise<boolean> {
  return (await vscode.commands.getCommands(true)).includes(COMMANDS.branchHere);
}
