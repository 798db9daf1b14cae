import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import type {
  OpenRecording,
  RecordedItems,
  RecordedState,
} from '../../terminal/lines/recordingContent.ts';

/**
 * How often the page is updated (`THROTTLE_MS`), and how often an unfinished recording is checked
 * for changes (`POLL_MS`).
 */
const THROTTLE_MS = 100;
const POLL_MS = 1000;
/**
 * Checks wait one second longer for every 10 MB, because some file systems return only whole files.
 */
const BYTES_PER_POLL_SECOND = 10_000_000;

/** A recording that is open in one or more editors, updated when its file changes. */
export class RecordingDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly #recording: OpenRecording;
  readonly #onFailure: (error: unknown) => void;
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new Emitter<RecordedState>());
  #state: RecordedState | undefined;
  #isRefreshing = false;
  #isStale = false;
  #throttle: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChange = this.#changes.event;

  /**
   * @param onFailure receives the first unexpected error, after which the document is no longer
   * updated
   */
  constructor(uri: vscode.Uri, recording: OpenRecording, onFailure: (error: unknown) => void) {
    this.uri = uri;
    this.#recording = this.#resources.add(recording);
    this.#onFailure = onFailure;
    this.#resources.add(recording.onDidChange((state) => this.#take(state)));
    this.#resources.add(toDisposable(() => clearTimeout(this.#throttle)));
    this.#resources.add(toDisposable(() => clearTimeout(this.#poll)));
    this.#watch();
    this.refresh();
  }

  /** The state read so far; undefined before the first read. */
  get state(): RecordedState | undefined {
    return this.#state;
  }

  items(from: number, to: number): Promise<RecordedItems> {
    return this.#recording.items(from, to);
  }

  /** Reads the file again: now, or after the read in progress. */
  refresh(): void {
    this.#isStale = true;
    if (!this.#isRefreshing) void this.#refreshAll();
  }

  dispose(): void {
    this.#resources.dispose();
  }

  async #refreshAll(): Promise<void> {
    this.#isRefreshing = true;
    try {
      while (this.#isStale && !this.#resources.isDisposed) {
        this.#isStale = false;
        await this.#recording.refresh();
      }
      this.#isRefreshing = false;
      this.#pollLater();
    } catch (error) {
      // `#isRefreshing` stays true: another attempt would only report the bug again.
      if (!this.#resources.isDisposed) this.#onFailure(error);
    }
  }

  /** Watches the folder, because a recording may be replaced by another file. */
  #watch(): void {
    const folder = vscode.Uri.joinPath(this.uri, '..');
    const watcher = this.#resources.add(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*')),
    );
    const look = (uri: vscode.Uri) => {
      if (uri.path === this.uri.path) this.refresh();
    };
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
      this.#resources.add(event(look));
    }
  }

  /** Polls in addition to watching, because not every file system reports changes. */
  #pollLater(): void {
    clearTimeout(this.#poll);
    const state = this.#state;
    if (this.#resources.isDisposed || state?.isFinished === true) return;
    const seconds = (state?.fileBytes ?? 0) / BYTES_PER_POLL_SECOND;
    this.#poll = setTimeout(() => this.refresh(), POLL_MS * (1 + seconds));
  }

  #take(state: RecordedState): void {
    this.#state = state;
    this.#throttle ??= setTimeout(() => {
      this.#throttle = undefined;
      if (this.#state) this.#changes.fire(this.#state);
    }, THROTTLE_MS);
  }
}
