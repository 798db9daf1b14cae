import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { AsyncSubscription, Event, subscribe as Subscribe } from '@parcel/watcher';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Signal } from '../../base/signal.ts';
import { FreshFolders } from './freshFolders.ts';
import { gitFolderElsewhere } from './gitFolderElsewhere.ts';

/** Beyond that, looking everywhere is as fast. */
const MAX_PATHS = 2000;
/** Events come within 50 ms, on a busy machine a little later. */
const MARK_TIMEOUT_MS = 100;
/** The events of one batch come one after the other. */
const BATCH_MS = 5;
/** Between two times that all folders are gone through. */
const RENEW_MS = 30_000;
const GIT_FOLDER = /(^|\/)\.git\//;
/** Written by whatever moves HEAD: commit, checkout, merge, reset, pull; of nested repositories too. */
const GIT_OPERATION = /(^|\/)\.git\/(HEAD|logs\/HEAD)$/;
/** The same in a git folder that is elsewhere; what else there is in it may be large, and says nothing of HEAD. */
const MOVED_HEAD = /^(HEAD|logs\/HEAD)$/;
const OTHERS = ['objects', 'refs', 'modules', 'worktrees', 'lfs'].map((name) => `${name}/**`);

/** Knows which files may have changed. What it does not know for certain it does not claim. */
export class WorkspaceWatcher implements Disposable {
  readonly #workspace: string;
  readonly #markFolder: string;
  readonly #subscriptions: AsyncSubscription[] = [];
  readonly #gitOperations = new Emitter<void>();
  readonly #changes = new Emitter<readonly string[] | undefined>();
  readonly #marked = new Signal();
  readonly #fresh: FreshFolders;
  #main: AsyncSubscription | undefined;
  #renewal: Promise<void> | undefined;
  #renewedMs = -Infinity;
  #changed: Set<string> | undefined;
  #mark = 0;
  /** Of the marks whose events have come, the last. */
  #seenMark = 0;
  #isFailed = false;

  readonly onDidGitOperation = this.#gitOperations.event;
  /** Paths as {@link take} tells them, as soon as they are known; nothing when something may have changed anywhere. */
  readonly onDidChange = this.#changes.event;

  private constructor(workspace: string, markFolder: string) {
    this.#workspace = workspace;
    this.#markFolder = markFolder;
    this.#fresh = new FreshFolders(workspace);
  }

  /**
   * @param markFolder a folder of ours, made for this
   * @returns nothing where watching does not work: no binary for this platform, or too many folders for the system's limit
   */
  static async start(workspace: string, markFolder: string): Promise<WorkspaceWatcher | undefined> {
    // A link is not watched.
    const real = await realpath(workspace).catch(() => workspace);
    const watcher = new WorkspaceWatcher(real, markFolder);
    try {
      mkdirSync(markFolder, { recursive: true, mode: 0o700 });
      const { subscribe } = await import('@parcel/watcher');
      watcher.#subscriptions.push(
        await subscribe(markFolder, (error, events) => watcher.#receiveMark(error, events)),
      );
      await watcher.#watch();
      await watcher.#followElsewhere(subscribe).catch(() => {}); // Then only the clock and commands tell.
      return watcher;
    } catch {
      watcher.dispose();
      return undefined;
    }
  }

  async #watch(): Promise<void> {
    const { subscribe } = await import('@parcel/watcher');
    const ignore = ['**/.git/objects/**'];
    const receive = (error: Error | null, events: readonly Event[]) => this.#receive(error, events);
    this.#main = await subscribe(this.#workspace, receive, { ignore });
    if (this.#isFailed) await this.#main.unsubscribe();
  }

  /** Begins anew, with the folders that there are now. It goes through all of them, and so not too often. */
  #renew(): void {
    if (this.#renewal || performance.now() - this.#renewedMs < RENEW_MS) return;
    this.#renewedMs = performance.now();
    const renew = async (): Promise<void> => {
      await this.#main?.unsubscribe();
      await this.#watch();
      this.#fresh.clear();
      // What happened in between is not known.
      this.#changed = undefined;
    };
    this.#renewal = renew()
      .catch(() => this.distrust())
      .finally(() => (this.#renewal = undefined));
  }

  /** A repository whose git folder is not in the workspace tells of its operations there. */
  async #followElsewhere(subscribe: typeof Subscribe): Promise<void> {
    const folder = gitFolderElsewhere(this.#workspace);
    if (folder === undefined) return;
    const receive = (_error: Error | null, events: readonly Event[]) => {
      const isMoved = events.some((event) => MOVED_HEAD.test(path.relative(folder, event.path)));
      if (isMoved) this.#gitOperations.fire();
    };
    this.#subscriptions.push(await subscribe(folder, receive, { ignore: OTHERS }));
  }

  /** What may have changed since this was asked last; nothing when that is not known. Relative paths, folders for all in them. */
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

  /** New folders with folders in them, which {@link take} tells of each time: what happens there is not known otherwise. */
  get deepFolders(): readonly string[] {
    return this.#fresh.known;
  }

  /** What was taken last was not used: everything may have changed. */
  forget(): void {
    this.#changed = undefined;
  }

  /** What was claimed turned out wrong: nothing more is claimed. */
  distrust(): void {
    this.#isFailed = true;
  }

  dispose(): void {
    this.#isFailed = true;
    const all = [...this.#subscriptions, ...(this.#main ? [this.#main] : [])];
    for (const subscription of all) void subscription.unsubscribe().catch(() => {});
    rmSync(this.#markFolder, { recursive: true, force: true });
  }

  /**
   * Waits until all changes so far are known. Events arrive in order: once that of a file written now has come, so have all before
   * it. Each has a name of its own, for that of an earlier one may be late, and says nothing of what came after it.
   * @returns whether it came in time
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
    // The system dropped events: what was not told is not known.
    if (error) this.#changed = undefined;
    let isGitOperation = false;
    const changed: string[] = [];
    for (const event of events) {
      const relative = path.relative(this.#workspace, event.path);
      isGitOperation ||= GIT_OPERATION.test(relative);
      // HEAD and index are looked at each time anyway.
      if (GIT_FOLDER.test(relative)) continue;
      changed.push(relative);
      // One that went and came again is told as changed.
      if (event.type !== 'delete') this.#fresh.add(relative);
    }
    for (const relative of changed) this.#changed?.add(relative);
    this.#changes.fire(error ? undefined : changed);
    if (isGitOperation) this.#gitOperations.fire();
  }
}
