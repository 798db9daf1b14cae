import * as vscode from 'vscode';
import { anchorOf, findLine, type DraftAnchor } from './draftAnchor.ts';
import type { DraftInput } from './draftInputs.ts';
import type { DraftStore } from './draftStore.ts';
import type { SessionTranscript } from './sessionTranscript.ts';

/** Typing is stored this often: a killed window loses no more. */
const SAVE_MS = 250;

/** An instruction between the lines of a transcript. It is stored until it is forgotten. */
export class Draft implements DraftInput, vscode.Disposable {
  readonly thread: vscode.CommentThread;
  readonly #sessionId: string;
  readonly #store: DraftStore;
  #anchor: DraftAnchor;
  #text: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBranching = false;
  #isDisposed = false;

  /** @param kept what is known of it; without an anchor it is at the line of the thread */
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
    // VS Code empties the input box of an instruction that the user submits, or that is closed.
    if (this.#isBranching || this.#isDisposed || (text === '' && this.thread.comments.length > 0))
      return;
    this.#text = text;
    this.#timer ??= setTimeout(() => this.#save(), SAVE_MS);
  }

  /** Keeps the submitted text until a branch is created from it. */
  async submit<T>(text: string, branch: () => Promise<T>): Promise<T> {
    this.setText(text);
    this.#isBranching = true;
    try {
      return await branch();
    } finally {
      this.#isBranching = false;
    }
  }

  /** Follows its line when lines were added before it. @returns whether it moved */
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
