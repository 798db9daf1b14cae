import * as vscode from 'vscode';

/** Number of lines that fit in a dialog. */
const NAMED = 15;

/** The first lines, and a count of the rest. */
export function shortened(lines: readonly string[]): string[] {
  if (lines.length <= NAMED) return [...lines];
  return [...lines.slice(0, NAMED), vscode.l10n.t('… and {0} more', lines.length - NAMED)];
}
