import * as vscode from 'vscode';
import type { CONTEXT_KEYS } from './contributions.ts';

export type ContextKey = (typeof CONTEXT_KEYS)[keyof typeof CONTEXT_KEYS];

/** Sets a key for the conditions in package.json. */
export async function setContextKey(key: ContextKey, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
