import * as vscode from 'vscode';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { TimelinePanels } from './timelinePanels.ts';

/** `AH: Open Timeline`: opens the session in the argument, or one that the user picks. */
export async function openTimeline(
  argument: unknown,
  chooser: SessionChooser,
  timelines: TimelinePanels,
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: () => true,
    placeHolder: vscode.l10n.t('Select a session to open its timeline'),
    none: vscode.l10n.t('No recordings yet.'),
  });
  if (session) timelines.show(session);
}
