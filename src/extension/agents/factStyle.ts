import * as vscode from 'vscode';
import { FACT_KINDS, type FactKind } from '../../agents/common/events/fact.ts';
import type { SearchedSession } from '../../search/node/factSource.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { clockText, dayText, daysBetween } from '../sessions/timeText.ts';

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

/** The time of day; if the date is not today, with the day. */
export function factTime(date: Date): string {
  const clock = clockText(date, vscode.env.language);
  if (daysBetween(date, new Date()) === 0) return clock;
  return vscode.l10n.t('{0}, {1}', dayText(date, vscode.env.language), clock);
}

/** All sessions in the form that the search index expects. */
export function searchedSessions(store: SessionStore): SearchedSession[] {
  return store.sessions.map(({ meta, folder }) => ({ id: meta.id, folder }));
}
