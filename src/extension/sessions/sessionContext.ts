import * as vscode from 'vscode';
import { CONTEXT_KEYS } from '../contributions.ts';
import { isRunning } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/** Tells the editor's menus whether there are sessions. */
export function keepSessionContext(store: SessionStore): vscode.Disposable {
  const shown = new Map<string, boolean>();
  const set = (key: string, value: boolean): void => {
    if (shown.get(key) === value) return;
    shown.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  return store.onDidChange(() => {
    set(CONTEXT_KEYS.hasSessions, store.sessions.length > 0);
    set(CONTEXT_KEYS.hasRunningSessions, store.sessions.some(isRunning));
  });
}
