import * as vscode from 'vscode';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { CatalogueWatcher } from '../../sessions/node/catalogueWatcher.ts';
import { setContextKey } from '../contextKeys.ts';
import { CONTEXT_KEYS } from '../contributions.ts';

/**
 * Keeps the context key that tells menus whether there are branches. Looks at the registry, because
 * not every branch has a session: `ah agent branch --no-launch` creates only the folder.
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
