import * as vscode from 'vscode';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { CatalogueWatcher } from '../../sessions/node/catalogueWatcher.ts';
import { setContextKey } from '../contextKeys.ts';
import { CONTEXT_KEYS } from '../contributions.ts';

/**
 * Tells VS Code's menus whether there are branches. Not all have a session: `ah agent branch
 * --no-launch` only makes the folder.
 */
export function keepBranchContext(registry: BranchRegistry): vscode.Disposable {
  const update = async (): Promise<void> => {
    await setContextKey(CONTEXT_KEYS.hasBranches, (await registry.list()).length > 0);
  };
  const watcher = new CatalogueWatcher(registry.folder);
  void update();
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(() => void update()),
  );
}
