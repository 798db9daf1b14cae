import * as vscode from 'vscode';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { BranchWindow } from './branchDialog.ts';

/** Opens the folder of a branch; the window that then has it starts what waits there. */
export async function openBranch(record: BranchRecord, window: BranchWindow): Promise<void> {
  const uri = vscode.Uri.file(record.workspace);
  if (window === 'new') {
    await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
    return;
  }
  const end = vscode.workspace.workspaceFolders?.length ?? 0;
  vscode.workspace.updateWorkspaceFolders(end, 0, { uri, name: record.name });
}
