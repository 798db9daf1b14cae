import * as vscode from 'vscode';
import { FACT_KINDS, type FactKind } from '../../agents/fact.ts';
import type { SearchedSession } from '../../node/search/factSource.ts';
import type { SessionStore } from '../sessionStore.ts';

const ICONS: Readonly<Record<FactKind, string>> = {
  prompt: 'comment',
  answer: 'hubot',
  tool: 'tools',
  approval: 'bell',
  failure: 'error',
  end: 'check',
};

export function factIcon(kind: FactKind): vscode.ThemeIcon {
  return new vscode.ThemeIcon(FACT_KINDS.includes(kind) ? ICONS[kind] : 'circle');
}

/** All sessions, as they are searched. */
export function sessionsOf(store: SessionStore): SearchedSession[] {
  return store.sessions.map(({ meta, folder }) => ({ id: meta.id, folder }));
}
