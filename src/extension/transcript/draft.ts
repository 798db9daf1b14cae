import * as vscode from 'vscode';
import { anchorOf, findLine, type DraftAnchor } from './draftAnchor.ts';
import type { DraftInput } from './draftInputs.ts';
import type { DraftStore } from './draftStore.ts';
import type { SessionTranscript } from './sessionTranscript.ts';

/** Typed text is stored at this interval: a window that is killed loses no more. */
const SAVE_MS = 250;

/**
 * An instruction that the user drafts between the lines of a transcript. It stays stored until
 * {@link forget} is called.
 */
export class Draft implements DraftInput, vscode.Disposable {
  readonly thread: vscode.CommentThread;
  readonly #sessionId: string;
  readonly #store: DraftStore;
  #anchor: DraftAnchor;
  #text: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBranching = false;
  #isDisposed = false;

  /**
   * @param kept the text, and the anchor of a stored draft; without an anchor, the draft is at the
   * line of its thread
   */
  constructor(
    thread: vscode.CommentThread,
    transcript: SessionTranscript,
    store: DraftStore,
    kept: { readonly anchor?: DraftAnchor; readonly text: string },
  ) {
    this.thread = thread;
    this.#sessionId = transcript.sessionId;
    this.#store = store;
    this.#anchor = kept.anchor ?? anchorOf(transcript.lines, this.line);
    this.#text = kept.text;
    if (!kept.anchor) this.#save();
  }

  get uri(): vscode.Uri {
    return this.thread.uri;
  }

  get line(): number {
    return this.thread.range?.end.line ?? 0;
  }

  get text(): string {
    return this.#text;
  }

  setText(text: string): void {
    // Ignore this change: VS Code empties the input box when the user submits or closes the draft.
    if (this.#isBranching || this.#isDisposed || (text === '' && this.thread.comments.length > 0))
      return;
    this.#text = text;
    this.#timer ??= setTimeout(() => this.#save(), SAVE_MS);
  }

  /** Keeps the submitted text while the branch is created. */
  async submit<T>(text: string, branch: () => Promise<T>): Promise<T> {
    this.setText(text);
    this.#isBranching = true;
    try {
      return await branch();
    } finally {
      this.#isBranching = false;
    }
  }

  /** Moves the draft with its line if lines were added before it. @returns whether it moved */
  follow({ lines }: SessionTranscript): boolean {
    const { index, isExact } = findLine(lines, this.#anchor);
    if (!isExact || index === this.line) return false;
    this.thread.range = new vscode.Range(index, 0, index, 0);
    return true;
  }

  /** Removes the stored copy. */
  forget(): void {
    this.dispose();
    this.#store.delete(this.#sessionId);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.thread.dispose();
  }

  #save(): void {
    this.#timer = undefined;
    this.#store.set(this.#sessionId, { anchor: this.#anchor, text: this.#text });
  }
}
