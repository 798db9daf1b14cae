import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { AsyncSubscription, Event, subscribe as Subscribe } from '@parcel/watcher';
import { Emitter } from '../../../base/emitter.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { Signal } from '../../../base/signal.ts';
import { FreshFolders } from './freshFolders.ts';
import { gitFolderElsewhere } from './gitFolderElsewhere.ts';

/** With more paths than this, scanning the whole workspace is as fast. */
const MAX_PATHS = 2000;
/** Events arrive within 50 ms, on a busy machine a little later. */
const MARK_TIMEOUT_MS = 100;
/** Time for the other events of a batch to arrive. */
const BATCH_MS = 5;
/** Shortest time between two subscriptions: each of them makes the watcher walk all folders. */
const RENEW_MS = 30_000;
const GIT_FOLDER = /(^|\/)\.git\//;
/**
 * Files that change whenever HEAD moves (commit, checkout, merge, reset, pull), in nested
 * repositories too.
 */
const GIT_OPERATION = /^((?:.*\/)?\.git)\/(?:logs\/)?HEAD$/;
/** The same for a git folder outside of the workspace, relative to that folder. */
const MOVED_HEAD = /^(HEAD|logs\/HEAD)$/;
/** Folders in a git folder that need not be watched and may be large. */
const NOT_HEAD = ['objects', 'refs', 'modules', 'worktrees', 'lfs'].map((name) => `${name}/**`);

/**
 * Collects the files that may have changed. When it can't be certain, it reports that everything
 * may have changed.
 */
export class WorkspaceWatcher implements Disposable {
  readonly #workspace: string;
  readonly #markFolder: string;
  readonly #subscriptions: AsyncSubscription[] = [];
  readonly #gitOperations = new Emitter<string>();
  readonly #changes = new Emitter<readonly string[] | undefined>();
  readonly #marked = new Signal();
  readonly #fresh: FreshFolders;
  #main: AsyncSubscription | undefined;
  #renewal: Promise<void> | undefined;
  #renewedMs = -Infinity;
  #changed: Set<string> | undefined;
  #mark = 0;
  /** The last mark whose event has arrived. */
  #seenMark = 0;
  #isFailed = false;

  /** Fires with the git folder whose HEAD was moved. */
  readonly onDidGitOperation = this.#gitOperations.event;
  /**
   * Fires with changed paths as soon as they are known; undefined when any file may have changed.
   */
  readonly onDidChange = this.#changes.event;

  private constructor(workspace: string, markFolder: string) {
    this.#workspace = workspace;
    this.#markFolder = markFolder;
    this.#fresh = new FreshFolders(workspace);
  }

  /**
   * @param markFolder a folder that the watcher creates for its marks
   * @returns undefined where watching does not work: no binary for this platform, or more folders
   * than the system's limit
   */
  static async start(workspace: string, markFolder: string): Promise<WorkspaceWatcher | undefined> {
    // The watcher does not follow links.
    const real = await realpath(workspace).catch(() => workspace);
    const watcher = new WorkspaceWatcher(real, markFolder);
    try {
      mkdirSync(markFolder, { recursive: true, mode: 0o700 });
      const { subscribe } = await import('@parcel/watcher');
      watcher.#subscriptions.push(
        await subscribe(markFolder, (error, events) => watcher.#receiveMark(error, events)),
      );
      await watcher.#watch();
      // If this fails, git operations are only noticed at the next command or timer.
      await watcher.#followElsewhere(subscribe).catch(() => {});
      return watcher;
    } catch {
      watcher.dispose();
      return undefined; // Every snapshot then scans the whole workspace.
    }
  }

  async #watch(): Promise<void> {
    const { subscribe } = await import('@parcel/watcher');
    const ignore = ['**/.git/objects/**'];
    const receive = (error: Error | null, events: readonly Event[]) => this.#receive(error, events);
    this.#main = await subscribe(this.#workspace, receive, { ignore });
    if (this.#isFailed) await this.#main.unsubscribe();
  }

  /** Subscribes again to include new folders. This walks all folders, so it is done rarely. */
  #renew(): void {
    if (this.#renewal || performance.now() - this.#renewedMs < RENEW_MS) return;
    this.#renewedMs = performance.now();
    const renew = async (): Promise<void> => {
      await this.#main?.unsubscribe();
      await this.#watch();
      this.#fresh.clear();
      // Changes between the two subscriptions are unknown.
      this.#changed = undefined;
    };
    // Without a subscription, nothing reports changes: later snapshots look at all files.
    this.#renewal = renew()
      .catch(() => this.distrust())
      .finally(() => (this.#renewal = undefined));
  }

  /** Watches the git folder of a repository when it is outside of the workspace. */
  async #followElsewhere(subscribe: typeof Subscribe): Promise<void> {
    const folder = gitFolderElsewhere(this.#workspace);
    if (folder === undefined) return;
    const receive = (_error: Error | null, events: readonly Event[]) => {
      const isMoved = events.some((event) => MOVED_HEAD.test(path.relative(folder, event.path)));
      if (isMoved) this.#gitOperations.fire(folder);
    };
    this.#subscriptions.push(await subscribe(folder, receive, { ignore: NOT_HEAD }));
  }

  /**
   * The relative paths that may have changed since the last call; a folder stands for everything in
   * it. Undefined when any file may have changed.
   */
  async take(): Promise<readonly string[] | undefined> {
    const isInTime = await this.catchUp();
    const changed = this.#changed;
    this.#changed = new Set();
    const deep = await this.#fresh.deep();
    if (!deep) this.#renew();
    if (!isInTime || this.#isFailed || this.#renewal || !deep) return undefined;
    if (!changed || changed.size > MAX_PATHS) return undefined;
    return [...new Set([...changed, ...deep])];
  }

  /** New folders whose changes are not all reported; {@link take} returns them each time. */
  get deepFolders(): readonly string[] {
    return this.#fresh.known;
  }

  /**
   * Call when the result of the last {@link take} was not used: any file may have changed since.
   */
  forget(): void {
    this.#changed = undefined;
  }

  /** Call when the watcher has missed a change: from now on, any file may have changed. */
  distrust(): void {
    this.#isFailed = true;
  }

  dispose(): void {
    this.#isFailed = true;
    const all = [...this.#subscriptions, ...(this.#main ? [this.#main] : [])];
    for (const each of all) void each.unsubscribe().catch(() => {}); // Ended already.
    rmSync(this.#markFolder, { recursive: true, force: true });
  }

  /**
   * Waits until all changes so far are known. Events arrive in order, so the event of a mark file
   * written now comes after them. Each mark has its own name, because the event of an earlier mark
   * may be late.
   * @returns whether the event arrived in time
   */
  async catchUp(): Promise<boolean> {
    if (this.#isFailed) return false;
    const mark = ++this.#mark;
    try {
      writeFileSync(this.#markFile(mark), '');
      rmSync(this.#markFile(mark - 1), { force: true });
    } catch {
      return false; // A full disk, for example.
    }
    const late = new Promise<'late'>((resolve) =>
      setTimeout(() => resolve('late'), MARK_TIMEOUT_MS),
    );
    while (this.#seenMark < mark) {
      if ((await Promise.race([this.#marked.wait(), late])) === 'late') return false;
    }
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    return true;
  }

  #markFile(mark: number): string {
    return path.join(this.#markFolder, String(mark));
  }

  #receiveMark(error: Error | null, events: readonly Event[]): void {
    if (error) this.#isFailed = true;
    for (const event of events) {
      const mark = Number(path.basename(event.path));
      if (mark > this.#seenMark) this.#seenMark = mark;
    }
    this.#marked.notify();
  }

  #receive(error: Error | null, events: readonly Event[]): void {
    // The system has dropped events.
    if (error) this.#changed = undefined;
    let movedFolder: string | undefined;
    const changed: string[] = [];
    for (const event of events) {
      const relative = path.relative(this.#workspace, event.path);
      movedFolder ??= GIT_OPERATION.exec(relative)?.[1];
      // Snapshots read HEAD and index each time anyway.
      if (GIT_FOLDER.test(relative)) continue;
      changed.push(relative);
      // Not only for `create`: a file that was deleted and created again is reported as changed.
      if (event.type !== 'delete') this.#fresh.add(relative);
    }
    for (const relative of changed) this.#changed?.add(relative);
    this.#changes.fire(error ? undefined : changed);
    if (movedFolder !== undefined)
      this.#gitOperations.fire(path.join(this.#workspace, movedFolder));
  }
}
