import * as vscode from 'vscode';

/**
 * Says what an agent may do, with the agent's own word in brackets.
 * @param permissions words of the agent, such as `asks you, danger-full-access`; unknown words are
 * returned as they are
 */
export function permissionsText(permissions: string): string {
  return permissions
    .split(', ')
    .map((word) => {
      const plain = plainWords(word);
      return plain === undefined ? word : `${plain} (${word})`;
    })
    .join(', ');
}

function plainWords(word: string): string | undefined {
  switch (word) {
    case 'manual':
      return vscode.l10n.t('asks before it acts');
    case 'plan':
      return vscode.l10n.t('only makes a plan');
    case 'acceptEdits':
      return vscode.l10n.t('edits files without asking');
    case 'bypassPermissions':
      return vscode.l10n.t('does everything without asking');
    case 'read-only':
      return vscode.l10n.t('can read files');
    case 'workspace-write':
      return vscode.l10n.t('can change files in its folder');
    case 'danger-full-access':
      return vscode.l10n.t('can change all files and use the network');
    default:
      return undefined;
  }
}
