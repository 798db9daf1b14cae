import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { AsyncSubscription, Event, subscribe as Subscribe } from '@parcel/watcher';
import { Emitter } from '../base/emitter.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { Signal } from '../base/signal.ts';
import { gitFolderElsewhere } from './gitFolderElsewhere.ts';

/** Beyond that, looking everywhere is as fast. */
const MAX_PATHS = 2000;
/** Events come within 50 ms, on a busy machine a little later. */
const MARK_TIMEOUT_MS = 100;
/** The events of one batch come one after the other. */
const BATCH_MS = 5;
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
  readonly #marked = new Signal();
  #changed: Set<string> | undefined;
  #mark = 0;
  #isFailed = false;

  readonly onDidGitOperation = this.#gitOperations.event;

  private constructor(workspace: string, markFolder: string) {
    this.#workspace = workspace;
    this.#markFolder = markFolder;
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
      const ignore = ['**/.git/objects/**'];
      watcher.#subscriptions.push(
        await subscribe(markFolder, (error) => watcher.#receiveMark(error)),
        await subscribe(real, (error, events) => watcher.#receive(error, events), { ignore }),
      );
      await watcher.#followElsewhere(subscribe).catch(() => {}); // Then only the clock and commands tell.
      return watcher;
    } catch {
      watcher.dispose();
      return undefined;
    }
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
    const isInTime = await this.#catchUp();
    const changed = this.#changed;
    this.#changed = new Set();
    if (!isInTime || this.#isFailed || !changed || changed.size > MAX_PATHS) return undefined;
    return [...changed];
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
    for (const subscription of this.#subscriptions) void subscription.unsubscribe().catch(() => {});
    rmSync(this.#markFolder, { recursive: true, force: true });
  }

  /**
   * Events arrive in order: once that of a file written now has come, so have all before it.
   * @returns whether it came in time
   */
  async #catchUp(): Promise<boolean> {
    if (this.#isFailed) return false;
    const mark = ++this.#mark;
    const come = this.#marked.wait().then(() => true);
    try {
      writeFileSync(path.join(this.#markFolder, 'mark'), String(mark));
    } catch {
      return false; // A full disk, for example.
    }
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), MARK_TIMEOUT_MS));
    const isInTime = await Promise.race([come, late]);
    if (isInTime) await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    return isInTime;
  }

  #receiveMark(error: Error | null): void {
    if (error) this.#isFailed = true;
    this.#marked.notify();
  }

  #receive(error: Error | null, events: readonly Event[]): void {
    // The system dropped events: what was not told is not known.
    if (error) this.#changed = undefined;
    let isGitOperation = false;
    for (const event of events) {
      const relative = path.relative(this.#workspace, event.path);
      isGitOperation ||= GIT_OPERATION.test(relative);
      // HEAD and index are looked at each time anyway.
      if (!GIT_FOLDER.test(relative)) this.#changed?.add(relative);
    }
    if (isGitOperation) this.#gitOperations.fire();
  }
}
