import * as vscode from 'vscode';

/** As many as a dialog can show. */
const NAMED = 15;

/** The first lines, and how many more there are. */
export function shortened(lines: readonly string[]): string[] {
  if (lines.length <= NAMED) return [...lines];
  return [...lines.slice(0, NAMED), vscode.l10n.t('… and {0} more', lines.length - NAMED)];
}
