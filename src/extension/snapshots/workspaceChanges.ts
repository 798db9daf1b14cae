import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { isAhOrGitPath } from '../../branching/node/branchWorkspace.ts';
import { backgroundTimers } from '../../platform/node/systemClock.ts';
import { relativeTo } from '../../snapshots/common/posixPath.ts';
import { WORKSPACE_NOW, type FileChange } from '../../snapshots/common/provider.ts';
import { folderHere } from '../folderHere.ts';
import { ComparisonSchedule, type ComparisonPace } from './comparisonSchedule.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { SnapshotKey } from './snapshotUri.ts';

export interface WorkspaceChangesParts {
  readonly opened: Pick<OpenedSnapshots, 'files'>;
  readonly key: SnapshotKey;
  readonly workspace: string;
  readonly pace: ComparisonPace;
  /** Whether the recording of a session in the workspace is paused. */
  readonly isPaused: () => boolean;
}

/**
 * Keeps the list of a workspace's files that differ from a snapshot; compares again when files
 * change.
 */
export class WorkspaceChanges implements Disposable {
  /** The path by which this window shows the workspace. */
  readonly folder: string;
  readonly #parts: WorkspaceChangesParts;
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new Emitter<void>());
  readonly #stop = new AbortController();
  readonly #schedule: ComparisonSchedule;
  #files: ReadonlyMap<string, FileChange> = new Map();

  readonly onDidChange = this.#changes.event;

  /** Compares nothing yet: call {@link compare} for the first comparison. */
  constructor(parts: WorkspaceChangesParts) {
    this.#parts = parts;
    this.folder = folderHere(parts.workspace);
    this.#schedule = this.#resources.add(
      new ComparisonSchedule({
        timers: backgroundTimers,
        nowMs: () => performance.now(),
        pace: parts.pace,
        compare: () => this.#compare(),
        isPaused: parts.isPaused,
      }),
    );
    const pattern = new vscode.RelativePattern(vscode.Uri.file(this.folder), '**/*');
    const watcher = this.#resources.add(vscode.workspace.createFileSystemWatcher(pattern));
    const onChange = ({ fsPath }: vscode.Uri): void => {
      if (!isAhOrGitPath(this.pathOf(fsPath) ?? '')) this.#schedule.changed();
    };
    this.#resources.add(watcher.onDidChange(onChange));
    this.#resources.add(watcher.onDidCreate(onChange));
    this.#resources.add(watcher.onDidDelete(onChange));
  }

  /** Changes by path relative to the workspace, as of the last comparison. */
  get files(): ReadonlyMap<string, FileChange> {
    return this.#files;
  }

  /**
   * A file's path relative to the workspace: `''` for the workspace itself, undefined for a file
   * outside.
   */
  pathOf(file: string): string | undefined {
    return relativeTo(this.folder, file) ?? relativeTo(this.#parts.workspace, file);
  }

  /** Compares now. @throws UserError if the snapshot no longer exists */
  compare(): Promise<void> {
    return this.#schedule.run();
  }

  /** Call when a paused recording may have been resumed. */
  resume(): void {
    this.#schedule.resume();
  }

  dispose(): void {
    this.#stop.abort();
    this.#resources.dispose();
  }

  async #compare(): Promise<void> {
    const { opened, key } = this.#parts;
    const files = await opened.files(key.sessionId);
    const provider = await files.provider();
    const { ref } = files.kept(key.snapshotId);
    const found = await provider.diff(ref, WORKSPACE_NOW, this.#stop.signal);
    const own = found.filter(({ path }) => !isAhOrGitPath(path));
    this.#files = new Map(own.map((change) => [change.path, change]));
    this.#changes.fire();
  }
}
