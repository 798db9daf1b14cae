import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { reportFailure } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import { isOpenHere } from '../folderHere.ts';
import { showInformation, showWarning } from '../messages.ts';
import { sessionName } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { clockText, dateOf } from '../sessions/timeText.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';

/**
 * Starts the agents of branches whose folder is open in this window, once the folder is trusted. An
 * extension can't trust a folder, but a branch inherits the trust of its parent folder.
 */
export class BranchStarter implements Disposable {
  readonly #registry: Pick<BranchRegistry, 'list' | 'claimLaunch'>;
  readonly #terminals: Pick<SessionTerminals, 'record'>;
  readonly #store: Pick<SessionStore, 'get' | 'refresh'>;
  readonly #log: vscode.LogOutputChannel;
  readonly #resources = new DisposableStore();

  constructor(
    registry: Pick<BranchRegistry, 'list' | 'claimLaunch'>,
    terminals: Pick<SessionTerminals, 'record'>,
    store: Pick<SessionStore, 'get' | 'refresh'>,
    log: vscode.LogOutputChannel,
  ) {
    this.#registry = registry;
    this.#terminals = terminals;
    this.#store = store;
    this.#log = log;
    const start = () => void this.startWaiting();
    this.#resources.add(vscode.workspace.onDidGrantWorkspaceTrust(start));
    this.#resources.add(vscode.workspace.onDidChangeWorkspaceFolders(start));
    // If a window already has the branch's folder open, VS Code only focuses that window: check
    // then.
    this.#resources.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) start();
      }),
    );
  }

  /** Starts the branches that wait for this window. */
  async startWaiting(): Promise<void> {
    await reportFailure(vscode.l10n.t('Starting a branch'), this.#log, async () => {
      for (const record of (await this.#registry.list()).filter(isWaitingHere)) {
        if (vscode.workspace.isTrusted) await this.#start(record.id);
        else this.#askForTrust(record);
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
      cmd,
      name: record.name,
      isNamed: true,
      branch: record,
      ...(agent !== undefined && { agent }),
    });
    void this.#showOrigin(record);
    if (warnings.length > 0) void showWarning(warnings.join(' '));
  }

  /** Tells the user where the branch comes from, with a button that shows that moment. */
  async #showOrigin({ id, from }: BranchRecord): Promise<void> {
    // A new window may not have loaded the original session yet.
    if (!this.#store.get(from.sessionId)) await this.#store.refresh();
    const original = this.#store.get(from.sessionId);
    const name = original ? sessionName(original) : path.basename(from.workspace);
    const time = clockText(dateOf(from.timeNs), vscode.env.language);
    const show = vscode.l10n.t('Show Moment');
    const text = vscode.l10n.t('Branch of “{0}” at {1}', name, time);
    if ((await showInformation(text, ...(original ? [show] : []))) !== show) return;
    await vscode.commands.executeCommand(COMMANDS.goToParentMoment, { meta: { id } });
  }

  #askForTrust({ name }: BranchRecord): void {
    const text = vscode.l10n.t('Trust this folder to start the agent of branch “{0}”.', name);
    void showInformation(text);
  }
}

function isWaitingHere({ state, launch, workspace }: BranchRecord): boolean {
  return state === 'ready' && launch?.isWaiting === true && isOpenHere(workspace);
}
