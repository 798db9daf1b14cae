import * as vscode from 'vscode';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { isOpenHere } from '../folderHere.ts';
import { plainLabel } from '../plainLabel.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { clockText, dateOf } from '../sessions/timeText.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import type { OpenedChanges, WorkspaceComparisons } from '../snapshots/workspaceComparisons.ts';

const BADGE = 'B';
const COLOR = new vscode.ThemeColor('charts.purple');

interface OpenBranch extends OpenedChanges {
  readonly record: BranchRecord;
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
  readonly #comparisons: WorkspaceComparisons;
  readonly #open = new Map<string, OpenBranch>();
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly #resources: vscode.Disposable;
  /** Branches that are being compared for the first time. */
  readonly #starting = new Set<string>();

  readonly onDidChangeFileDecorations = this.#changes.event;

  /** @param isOpen whether a folder is open in this window; only tests pass it */
  constructor(
    registry: Pick<BranchRegistry, 'list'>,
    store: SessionStore,
    opened: OpenedSnapshots,
    comparisons: WorkspaceComparisons,
    isOpen: (workspace: string) => boolean = isOpenHere,
  ) {
    this.#isOpen = isOpen;
    this.#registry = registry;
    this.#store = store;
    this.#opened = opened;
    this.#comparisons = comparisons;
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
    for (const [id, branch] of this.#open) {
      if (ids.has(id)) continue;
      branch.dispose();
      this.#open.delete(id);
      this.#changes.fire(undefined);
    }
    await Promise.all(records.map((record) => this.#start(record)));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== 'file') return undefined;
    for (const { record, changes } of this.#open.values()) {
      const file = changes.pathOf(uri.fsPath);
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
    for (const branch of this.#open.values()) branch.dispose();
    this.#open.clear();
  }

  /** Starts to compare a branch with its first snapshot, once that snapshot exists. */
  async #start(record: BranchRecord): Promise<void> {
    const { id, workspace } = record;
    if (this.#open.has(id) || this.#starting.has(id) || !this.#store.get(id)) return;
    // When the recording is resumed, the store fires a change, and `refresh` tries again.
    if (this.#comparisons.isPaused(workspace)) return;
    this.#starting.add(id);
    try {
      const { snapshots } = await this.#opened.files(id);
      const first = snapshots.find(({ files }) => files.state === 'kept');
      if (!first) return;
      const key = { sessionId: id, snapshotId: first.id };
      const shared = this.#comparisons.open(key, workspace);
      const { changes } = shared;
      const listener = changes.onDidChange(() => this.#changes.fire(undefined));
      const both = vscode.Disposable.from(listener, shared);
      this.#open.set(id, { record, changes, dispose: () => void both.dispose() });
      await changes.compare();
    } catch {
      // The snapshots are incomplete or were deleted: the next refresh tries again.
      this.#open.get(id)?.dispose();
      this.#open.delete(id);
    } finally {
      this.#starting.delete(id);
    }
  }
}

/** Excludes in-place branches: the original folder is also used by other sessions. */
function isDecorated({ state, kind }: BranchRecord): boolean {
  return state === 'ready' && kind !== 'in-place';
}

function originText({ name, from }: BranchRecord): string {
  const time = clockText(dateOf(from.timeNs), vscode.env.language);
  return vscode.l10n.t('Branch “{0}”, from {1}', plainLabel(name), time);
}
