import * as vscode from 'vscode';
import { sessionName, type Session } from '../sessions/session.ts';

export const TRANSCRIPT_SCHEME = 'ah-transcript';

/**
 * The URI of a transcript. Its last path segment is the title of the tab; the query is the session
 * ID.
 */
export function transcriptUri(session: Session): vscode.Uri {
  const name = sessionName(session).replace(/[/\\]/g, ' ');
  return vscode.Uri.from({
    scheme: TRANSCRIPT_SCHEME,
    // By this folder, VS Code recognizes the language of the document (`filenamePatterns` in
    // package.json).
    path: `/ah-transcript/${vscode.l10n.t('{0} · Transcript', name)}`,
    query: session.meta.id,
  });
}

/**
 * Converts the argument of an editor menu to that of a session command; returns other arguments
 * unchanged.
 */
export function asSessionArgument(argument: unknown): unknown {
  if (!(argument instanceof vscode.Uri) || argument.scheme !== TRANSCRIPT_SCHEME) return argument;
  return { meta: { id: argument.query } };
}
