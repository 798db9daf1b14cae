import * as vscode from 'vscode';
import type { CONTEXT_KEYS } from './contributions.ts';

export type ContextKey = (typeof CONTEXT_KEYS)[keyof typeof CONTEXT_KEYS];

/** Sets a context key, which conditions in package.json use. */
export async function setContextKey(key: ContextKey, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
