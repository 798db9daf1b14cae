import * as vscode from 'vscode';
import { relativeTo } from '../../snapshots/common/posixPath.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { plainLabel } from '../plainLabel.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { clockText, dateOf } from '../sessions/timeText.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import { WorkspaceChanges } from '../snapshots/workspaceChanges.ts';
import { isOpenHere } from './branchStarter.ts';

const BADGE = 'B';
const COLOR = new vscode.ThemeColor('charts.purple');

interface OpenBranch {
  readonly record: BranchRecord;
  readonly changes: WorkspaceChanges;
}

/**
 * Marks the folders of branches in this window, and the files that differ from the moment where the
 * branch starts.
 */
export class BranchDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #isOpen: (workspace: string) => boolean;
  readonly #registry: Pick<BranchRegistry, 'list'>;
  readonly #store: SessionStore;
  readonly #opened: OpenedSnapshots;
  readonly #open = new Map<string, OpenBranch>();
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly #resources: vscode.Disposable;
  /** Branches that are being compared for the first time. */
  readonly #starting = new Set<string>();

  readonly onDidChangeFileDecorations = this.#changes.event;

  /** @param isOpen whether this window has a folder; only tests pass it */
  constructor(
    registry: Pick<BranchRegistry, 'list'>,
    store: SessionStore,
    opened: OpenedSnapshots,
    isOpen: (workspace: string) => boolean = isOpenHere,
  ) {
    this.#isOpen = isOpen;
    this.#registry = registry;
    this.#store = store;
    this.#opened = opened;
    this.#resources = vscode.Disposable.from(
      this.#changes,
      store.onDidChange(() => void this.refresh()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.refresh()),
      vscode.window.registerFileDecorationProvider(this),
    );
  }

  /** Looks for branches whose folder is open in this window. */
  async refresh(): Promise<void> {
    const records = (await this.#registry.list()).filter(
      (record) => isDecorated(record) && this.#isOpen(record.workspace),
    );
    const ids = new Set(records.map(({ id }) => id));
    for (const [id, { changes }] of this.#open) {
      if (ids.has(id)) continue;
      changes.dispose();
      this.#open.delete(id);
      this.#changes.fire(undefined);
    }
    await Promise.all(records.map((record) => this.#start(record)));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== 'file') return undefined;
    for (const { record, changes } of this.#open.values()) {
      const file = relativeTo(record.workspace, uri.fsPath);
      if (file === undefined) continue;
      if (file === '') return new vscode.FileDecoration(BADGE, originText(record), COLOR);
      if (!changes.files.has(file)) continue;
      const text = vscode.l10n.t('Changed in branch “{0}”', plainLabel(record.name));
      const decoration = new vscode.FileDecoration(BADGE, text, COLOR);
      decoration.propagate = true;
      return decoration;
    }
    return undefined;
  }

  dispose(): void {
    this.#resources.dispose();
    for (const { changes } of this.#open.values()) changes.dispose();
    this.#open.clear();
  }

  /** Compares a branch with its first snapshot, once it has one. */
  async #start(record: BranchRecord): Promise<void> {
    const { id, workspace } = record;
    if (this.#open.has(id) || this.#starting.has(id) || !this.#store.get(id)) return;
    this.#starting.add(id);
    try {
      const { snapshots } = await this.#opened.files(id);
      const first = snapshots.find(({ files }) => files.state === 'kept');
      if (!first) return;
      const key = { sessionId: id, snapshotId: first.id };
      const changes = new WorkspaceChanges(this.#opened, key, workspace);
      changes.onDidChange(() => this.#changes.fire(undefined));
      this.#open.set(id, { record, changes });
      await changes.compare();
    } catch {
      // Its snapshots are not complete or were deleted: the next refresh tries again.
      this.#open.get(id)?.changes.dispose();
      this.#open.delete(id);
    } finally {
      this.#starting.delete(id);
    }
  }
}

/** A branch in the original folder changes no files by itself, and shares it with other sessions. */
function isDecorated({ state, kind }: BranchRecord): boolean {
  return state === 'ready' && kind !== 'in-place';
}

function originText({ name, from }: BranchRecord): string {
  const time = clockText(dateOf(from.timeNs), vscode.env.language);
  return vscode.l10n.t('Branch “{0}”, from {1}', plainLabel(name), time);
}
