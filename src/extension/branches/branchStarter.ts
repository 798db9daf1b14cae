import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { reportFailure } from '../commandRegistry.ts';
import { showInformation, showWarning } from '../messages.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';

/**
 * Starts the agents of branches that wait for a window: this one, once it has their folder and may run programs in it. VS Code
 * lets no extension trust a folder; where the one above it is trusted, as that of the original is, the branch is too.
 */
export class BranchStarter implements Disposable {
  readonly #registry: BranchRegistry;
  readonly #terminals: SessionTerminals;
  readonly #log: vscode.LogOutputChannel;
  readonly #resources = new DisposableStore();

  constructor(registry: BranchRegistry, terminals: SessionTerminals, log: vscode.LogOutputChannel) {
    this.#registry = registry;
    this.#terminals = terminals;
    this.#log = log;
    const look = () => void this.look();
    this.#resources.add(vscode.workspace.onDidGrantWorkspaceTrust(look));
    this.#resources.add(vscode.workspace.onDidChangeWorkspaceFolders(look));
  }

  /** Starts what waits here. */
  async look(): Promise<void> {
    await reportFailure(vscode.l10n.t('Starting a branch'), this.#log, async () => {
      for (const record of (await this.#registry.list()).filter(isWaitingHere)) {
        if (vscode.workspace.isTrusted) await this.#start(record.id);
        else this.#sayUntrusted(record);
      }
    });
  }

  dispose(): void {
    this.#resources.dispose();
  }

  async #start(id: string): Promise<void> {
    const record = await this.#registry.claimLaunch(id);
    if (!record?.launch) return;
    const { cmd, agent, warnings } = record.launch;
    this.#log.info(`Starting the branch ${record.name}, ${id}.`);
    this.#terminals.record({
      ...{ cmd, name: record.name, isNamed: true, branch: record },
      ...(agent !== undefined && { agent }),
    });
    if (warnings.length > 0) void showWarning(warnings.join(' '));
  }

  #sayUntrusted({ name }: BranchRecord): void {
    const text = vscode.l10n.t(
      'The agent of the branch “{0}” starts when this folder is trusted.',
      name,
    );
    void showInformation(text);
  }
}

function isWaitingHere({ state, launch, workspace }: BranchRecord): boolean {
  if (state !== 'ready' || !launch?.isWaiting) return false;
  const here = real(workspace);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.some(({ uri }) => uri.scheme === 'file' && real(uri.fsPath) === here);
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
