import * as vscode from 'vscode';
import { sessionName, type Session } from '../sessions/session.ts';

export const TRANSCRIPT_SCHEME = 'ah-transcript';

/** The last path segment is the tab's title; the query is the session ID. */
export function transcriptUri(session: Session): vscode.Uri {
  const name = sessionName(session).replace(/[/\\]/g, ' ');
  return vscode.Uri.from({
    scheme: TRANSCRIPT_SCHEME,
    // VS Code chooses the language by this folder (`filenamePatterns` in package.json).
    path: `/ah-transcript/${vscode.l10n.t('{0} · Transcript', name)}`,
    query: session.meta.id,
  });
}

/** Converts the argument of an editor menu to that of a session command; others pass unchanged. */
export function asSessionArgument(argument: unknown): unknown {
  if (!(argument instanceof vscode.Uri) || argument.scheme !== TRANSCRIPT_SCHEME) return argument;
  return { meta: { id: argument.query } };
}
