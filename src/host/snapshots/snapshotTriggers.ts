import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { Bursts } from './bursts.ts';
import type { SnapshotRequest } from './snapshotTaker.ts';
import type { WorkspaceWatcher } from './workspaceWatcher.ts';

/** A shell that is fed by a program ends many commands a second: those within this time share a snapshot. */
const BURST_MS = 300;
/** One git command moves HEAD several times. */
const GIT_PAUSE_MS = 300;

/** Asks for snapshots by itself: after commands, after git operations, and now and then. */
export class SnapshotTriggers implements Disposable {
  readonly #clock: Clock;
  readonly #take: (request: Omit<SnapshotRequest, 'kind'>) => void;
  readonly #store = new DisposableStore();
  readonly #commands: Bursts<string>;

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

  /** A command of the recorded shell has ended. */
  afterCommand(label: string): void {
    this.#commands.push(label);
  }

  /** Commands that wait for others need not wait any longer. */
  flush(): void {
    this.#commands.flush();
  }

  every(minutes: number): void {
    const label = minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`;
    const again = () => {
      this.#take({ label, trigger: 'timer', isOnlyIfChanged: true });
      this.every(minutes);
    };
    this.#store.add(this.#clock.schedule(minutes * 60_000, again));
  }

  /** @param isRunning before the program runs there are no moments */
  followGit(watcher: WorkspaceWatcher, isRunning: () => boolean): void {
    let isDue = false;
    const take = () => {
      isDue = false;
      this.#take({ label: 'Git', trigger: 'git', isOnlyIfChanged: true });
    };
    const notice = () => {
      if (isDue || !isRunning()) return;
      isDue = true;
      this.#store.add(this.#clock.schedule(GIT_PAUSE_MS, take));
    };
    this.#store.add(watcher.onDidGitOperation(notice));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
