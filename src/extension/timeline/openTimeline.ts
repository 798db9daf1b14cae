import * as vscode from 'vscode';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { TimelinePanels } from './timelinePanels.ts';

/** `AH: Open Timeline`, for the session that is meant or chosen. */
export async function openTimeline(
  argument: unknown,
  chooser: SessionChooser,
  timelines: TimelinePanels,
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: () => true,
    placeHolder: vscode.l10n.t('Which session’s timeline shall be opened?'),
    none: vscode.l10n.t('There is no recording yet.'),
  });
  if (session) timelines.show(session);
}
