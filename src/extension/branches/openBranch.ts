import * as vscode from 'vscode';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import { isOpenHere } from '../folderHere.ts';
import type { BranchWindow } from './branchDialog.ts';
import type { BranchStarter } from './branchStarter.ts';

/** Opens the folder of a branch; the window that opens it starts the agent. */
export async function openBranch(
  record: BranchRecord,
  window: BranchWindow,
  starter?: Pick<BranchStarter, 'startWaiting'>,
): Promise<void> {
  const uri = vscode.Uri.file(record.workspace);
  if (window === 'original' && starter && isOpenHere(record.workspace)) {
    await starter.startWaiting();
  } else if (window === 'this') {
    const end = vscode.workspace.workspaceFolders?.length ?? 0;
    vscode.workspace.updateWorkspaceFolders(end, 0, { uri, name: record.name });
  } else {
    await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
  }
}
