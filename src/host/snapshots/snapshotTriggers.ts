import type { Clock } from '../../base/clock.ts';
import { DisposableStore, MutableDisposable, type Disposable } from '../../base/lifecycle.ts';
import { changedFilesLabel } from '../../snapshots/common/snapshotLabel.ts';
import { Bursts } from './bursts.ts';
import { gitOperationLabel } from './gitOperationLabel.ts';
import type { SnapshotRequest } from '../../snapshots/node/take/snapshotTaker.ts';
import type { WorkspaceWatcher } from '../../snapshots/node/watch/workspaceWatcher.ts';

/** Commands that end within this time share a snapshot: a script may run many per second. */
const BURST_MS = 300;
/** Delay after a git operation: one git command may move HEAD several times. */
const GIT_PAUSE_MS = 300;

/** Requests automatic snapshots: after shell commands, after git operations, and at intervals. */
export class SnapshotTriggers implements Disposable {
  readonly #clock: Clock;
  readonly #take: (request: Omit<SnapshotRequest, 'kind'>) => void;
  readonly #store = new DisposableStore();
  readonly #commands: Bursts<string>;
  readonly #interval = this.#store.add(new MutableDisposable<Disposable>());
  readonly #gitPause = this.#store.add(new MutableDisposable<Disposable>());

  constructor(clock: Clock, take: (request: Omit<SnapshotRequest, 'kind'>) => void) {
    this.#clock = clock;
    this.#take = take;
    this.#commands = new Bursts(clock, BURST_MS, (labels) => {
      for (const label of labels) take({ label, trigger: 'command' });
    });
    this.#store.add(this.#commands);
  }

  get isDisposed(): boolean {
    return this.#store.isDisposed;
  }

  /** Call when a command of the recorded shell has ended. */
  afterCommand(label: string): void {
    this.#commands.push(label);
  }

  /** Requests the snapshots of collected commands now. */
  flush(): void {
    this.#commands.flush();
  }

  every(minutes: number): void {
    const label = minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`;
    const again = () => {
      const labelOfChanges = changedFilesLabel;
      this.#take({ label, labelOfChanges, trigger: 'timer', isOnlyIfChanged: true });
      this.every(minutes);
    };
    this.#interval.value = this.#clock.schedule(minutes * 60_000, again);
  }

  /** @param isRunning whether the program runs; before its start, no moments can be recorded */
  followGit(watcher: WorkspaceWatcher, isRunning: () => boolean): void {
    let isDue = false;
    const take = async (gitFolder: string) => {
      isDue = false;
      const label = await gitOperationLabel(gitFolder);
      if (!this.isDisposed) this.#take({ label, trigger: 'git', isOnlyIfChanged: true });
    };
    const notice = (gitFolder: string) => {
      if (isDue || !isRunning()) return;
      isDue = true;
      this.#gitPause.value = this.#clock.schedule(GIT_PAUSE_MS, () => void take(gitFolder));
    };
    this.#store.add(watcher.onDidGitOperation(notice));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
