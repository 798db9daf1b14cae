import * as vscode from 'vscode';
import { sessionName, type Session } from '../sessions/session.ts';

export const TRANSCRIPT_SCHEME = 'ah-transcript';

/** The last part of its path is what the tab is called; which session it is of stands behind that. */
export function transcriptUri(session: Session): vscode.Uri {
  const name = sessionName(session).replace(/[/\\]/g, ' ');
  return vscode.Uri.from({
    scheme: TRANSCRIPT_SCHEME,
    // The folder tells the editor which language it is.
    path: `/ah-transcript/${name}`,
    query: session.meta.id,
  });
}

/** What a menu of an editor, or of a list, passes on as the argument of a command about a session. */
export function asSessionArgument(argument: unknown): unknown {
  if (!(argument instanceof vscode.Uri) || argument.scheme !== TRANSCRIPT_SCHEME) return argument;
  return { meta: { id: argument.query } };
}
