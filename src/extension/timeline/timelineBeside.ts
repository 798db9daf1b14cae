import * as vscode from 'vscode';
import { changeSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { reportFailure } from '../commandRegistry.ts';
import { configuration } from '../configuration.ts';
import type { Services } from '../services.ts';
import { sessionName } from '../sessions/session.ts';

/**
 * Opens the timeline beside the terminal when a session is shown for the first time. A timeline
 * that the user then closes stays closed when the window reloads.
 */
export function openTimelinesBeside({ log, terminals, timelines }: Services): vscode.Disposable {
  return terminals.onDidShow((session) => {
    const { opensTimelineBeside, terminalLocation } = configuration();
    if (!opensTimelineBeside || terminalLocation !== 'editor') return;
    if (session.notes.hasShownTimeline) return;
    const task = vscode.l10n.t('Opening {0}', sessionName(session));
    void reportFailure(task, log, async () => {
      await changeSessionNotes(session.folder, { hasShownTimeline: true });
      timelines.showBeside(session);
    });
  });
}
