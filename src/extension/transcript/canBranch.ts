import * as vscode from 'vscode';
import { COMMANDS } from '../contributions.ts';

/** What branches: called with a {@link BranchRequest}. */
export const BRANCH_COMMAND = COMMANDS.branchHere;

/** Where a new session shall grow out of an old one, and what its agent shall do. */
export interface BranchRequest {
  readonly sessionId: string;
  /** Bytes of output before that place. */
  readonly byte: number;
  /** When that was; nanoseconds since the epoch, decimal. */
  readonly tsNs: string;
  readonly message: string;
}

export async function canBranch(): Promise<boolean> {
  return (await vscode.commands.getCommands(true)).includes(BRANCH_COMMAND);
}
