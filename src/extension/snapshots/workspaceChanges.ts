import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { isAhOrGitPath } from '../../branching/node/branchWorkspace.ts';
import { WORKSPACE_NOW, type FileChange } from '../../snapshots/common/provider.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { SnapshotKey } from './snapshotUri.ts';

/** Agents write many files at once: compare them together. */
const SOON_MS = 500;
/** Comparing takes at most this share of the time, however large the workspace is. */
const MAX_SHARE = 0.25;

/** The files of a workspace that differ from a snapshot, compared again when files change. */
export class WorkspaceChanges implements Disposable {
  readonly #opened: OpenedSnapshots;
  readonly #key: SnapshotKey;
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new Emitter<void>());
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #restUntil = 0;
  #isComparing = false;
  #isStale = false;
  #files: ReadonlyMap<string, FileChange> = new Map();

  readonly onDidChange = this.#changes.event;

  /** Compares for the first time with {@link compare}. */
  constructor(opened: OpenedSnapshots, key: SnapshotKey, workspace: string) {
    this.#opened = opened;
    this.#key = key;
    const pattern = new vscode.RelativePattern(vscode.Uri.file(workspace), '**/*');
    const watcher = this.#resources.add(vscode.workspace.createFileSystemWatcher(pattern));
    const onChange = (uri: vscode.Uri): void => {
      if (!isAhOrGitPath(vscode.workspace.asRelativePath(uri, false))) this.#compareSoon();
    };
    this.#resources.add(watcher.onDidChange(onChange));
    this.#resources.add(watcher.onDidCreate(onChange));
    this.#resources.add(watcher.onDidDelete(onChange));
  }

  /** By path relative to the workspace, as of the last comparison. */
  get files(): ReadonlyMap<string, FileChange> {
    return this.#files;
  }

  /** @throws UserError if the snapshot no longer exists */
  async compare(): Promise<void> {
    this.#isStale = false;
    this.#isComparing = true;
    const startedAt = performance.now();
    try {
      const files = await this.#opened.files(this.#key.sessionId);
      const provider = await files.provider();
      const { ref } = files.kept(this.#key.snapshotId);
      const found = await provider.diff(ref, WORKSPACE_NOW, this.#stop.signal);
      const own = found.filter(({ path }) => !isAhOrGitPath(path));
      this.#files = new Map(own.map((change) => [change.path, change]));
    } finally {
      this.#isComparing = false;
      const endedAt = performance.now();
      this.#restUntil = endedAt + (endedAt - startedAt) / MAX_SHARE;
      if (this.#isStale) this.#compareSoon();
    }
    this.#changes.fire();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#resources.dispose();
  }

  #compareSoon(): void {
    this.#isStale = true;
    if (this.#isComparing || this.#timer || this.#resources.isDisposed) return;
    const waitMs = Math.max(SOON_MS, this.#restUntil - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // The next change tries again.
      this.compare().catch(() => undefined);
    }, waitMs);
    this.#timer.unref();
  }
}
