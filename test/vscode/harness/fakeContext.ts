import * as vscode from 'vscode';

/** What VS Code would pass to `activate`, for an activation beside the real one. */
export function fakeContext(
  folder: string,
  subscriptions: vscode.Disposable[],
): vscode.ExtensionContext {
  const uri = vscode.Uri.file(folder);
  return {
    subscriptions,
    extensionPath: folder,
    extensionUri: uri,
    extension: { id: 'ah.test' },
    storageUri: uri,
    globalStorageUri: uri,
    workspaceState: memento(),
    globalState: memento(),
  } as unknown as vscode.ExtensionContext;
}

function memento(): vscode.Memento {
  const stored = new Map<string, unknown>();
  return {
    keys: () => [...stored.keys()],
    get: (key: string, fallback?: unknown) => stored.get(key) ?? fallback,
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  } as vscode.Memento;
}
