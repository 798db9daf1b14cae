import * as vscode from 'vscode';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { BranchLosses } from '../../branching/node/remove/branchLosses.ts';
import { shortened } from './shortened.ts';

/** Lists what discarding a branch deletes. */
export function lossText({ workspace }: BranchRecord, losses: BranchLosses): string {
  const { commits, files, leftOut, session, others, agentFiles, unknown } = losses;
  const lines = [vscode.l10n.t('Deletes the folder {0}', workspace)];
  if (unknown !== undefined)
    lines.push(vscode.l10n.t('Can’t determine the branch’s changes: {0}', unknown));
  if (session)
    lines.push(vscode.l10n.t('Deletes the branch’s session with its recording and snapshots'));
  for (const { name, snapshots } of others) {
    if (snapshots.length === 0) continue;
    const text = vscode.l10n.t(
      'Deletes snapshots of session “{0}” in this folder: {1}',
      name,
      snapshots.length,
    );
    lines.push(text);
  }
  for (const file of agentFiles) {
    lines.push(vscode.l10n.t('Deletes the agent’s conversation: {0}', file));
  }
  if (commits.length > 0) {
    lines.push('', vscode.l10n.t('Commits that exist only in this branch: {0}', commits.length));
    lines.push(...shortened(commits));
  }
  if (files.length > 0) {
    lines.push('', vscode.l10n.t('Changed files: {0}', files.length));
    lines.push(...shortened(files.map(({ path }) => path)));
  }
  if (leftOut.length > 0) {
    lines.push(
      '',
      vscode.l10n.t('Ignored or too large, so not in any snapshot: {0}', leftOut.length),
    );
    lines.push(...shortened(leftOut));
  }
  return lines.join('\n');
}
