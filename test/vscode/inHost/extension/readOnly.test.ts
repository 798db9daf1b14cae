import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS, CONTEXT_KEYS, EDITORS } from '../../../../src/extension/contributions.ts';
import { activate } from '../../../../src/extension/extension.ts';
import { ResourceLedger } from '../../harness/resourceLedger.ts';

type Handler = (argument?: unknown) => Promise<unknown>;

describe('activation on Windows', () => {
  it('opens recordings, and refuses to record with a sentence', async () => {
    const storage = mkdtempSync(path.join(tmpdir(), 'ah-d-'));
    const dataFolder = process.env['AH_DATA_DIR'];
    process.env['AH_DATA_DIR'] = path.join(storage, 'ah');
    const ledger = new ResourceLedger();
    const handlers = new Map<string, Handler>();
    const editors: string[] = [];
    const messages: string[] = [];
    const restores = [
      replace(vscode.commands, 'registerCommand', (id: string, handler: Handler) => {
        handlers.set(id, handler);
        return new vscode.Disposable(() => {});
      }),
      replace(vscode.window, 'registerCustomEditorProvider', (id: string) => {
        editors.push(id);
        return new vscode.Disposable(() => {});
      }),
      ...(['showErrorMessage', 'showInformationMessage'] as const).map((name) =>
        replace(vscode.window, name, (text: string) => {
          messages.push(text);
          return Promise.resolve(undefined);
        }),
      ),
    ];
    const subscriptions: vscode.Disposable[] = [];
    const state = new Map<string, unknown>();
    const uri = vscode.Uri.file(storage);
    try {
      activate(
        {
          subscriptions,
          extensionPath: storage,
          extensionUri: uri,
          globalState: {
            get: (key: string) => state.get(key),
            update: (key: string, value: unknown) => Promise.resolve(state.set(key, value)),
          },
        } as unknown as vscode.ExtensionContext,
        'win32',
      );
      assert.deepEqual([...handlers.keys()].sort(), Object.values(COMMANDS).sort());
      assert.deepEqual(editors, Object.values(EDITORS));
      await handlers.get(COMMANDS.recordAgent)?.();
      await handlers.get(COMMANDS.branchHere)?.();
      assert.equal(messages.length, 3, 'one notice and two refusals');
      for (const message of messages) assert.match(message, /^Recording needs VS Code on Linux/);
    } finally {
      await vscode.commands.executeCommand('setContext', CONTEXT_KEYS.isReadOnly, false);
      for (const restore of restores.reverse()) restore();
      ledger.restore();
      for (const subscription of subscriptions.reverse()) subscription.dispose();
      process.env['AH_DATA_DIR'] = dataFolder;
      rmSync(storage, { recursive: true });
    }
  });
});

function replace(target: object, name: string, value: unknown): () => void {
  const original = Object.getOwnPropertyDescriptor(target, name)!;
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true });
  return () => Object.defineProperty(target, name, original);
}
