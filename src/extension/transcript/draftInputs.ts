import * as vscode from 'vscode';
import { COMMENT_CONTROLLERS } from '../contributions.ts';

/** How long to wait for an input box, which VS Code normally shows within milliseconds. */
const SHOWN_MS = 3000;
const MAX_TRIES = 5;

/** The draft behind an input box: provides the text to restore, and receives what is typed. */
export interface DraftInput {
  readonly uri: vscode.Uri;
  readonly line: number;
  readonly text: string;
  setText(text: string): void;
}

/**
 * The input boxes of drafts. VS Code offers each box as a document but does not say to which draft it
 * belongs. A new box belongs to the newest draft that is visible and has no box yet.
 */
export class DraftInputs implements vscode.Disposable {
  readonly #drafts: () => Iterable<DraftInput>;
  readonly #inputs = new Map<DraftInput, vscode.TextDocument>();
  /** Input boxes whose text is being restored. */
  readonly #restoring = new Set<vscode.TextDocument>();
  readonly #shown = new vscode.EventEmitter<DraftInput>();
  readonly #resources: vscode.Disposable;

  /** @param drafts all open drafts, the newest last */
  constructor(drafts: () => Iterable<DraftInput>) {
    this.#drafts = drafts;
    this.#resources = vscode.Disposable.from(
      this.#shown,
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#changed(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#closed(document)),
    );
  }

  /**
   * Waits for the input box of a draft; call this before VS Code creates it. @returns whether it
   * appeared
   */
  whenShown(draft: DraftInput): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isShown: boolean) => {
        clearTimeout(timer);
        listener.dispose();
        resolve(isShown);
      };
      const timer = setTimeout(() => end(false), SHOWN_MS);
      const listener = this.#shown.event((shown) => {
        if (shown === draft) end(true);
      });
    });
  }

  /** The draft of an input box; undefined until it is known. */
  draftOf(document: vscode.TextDocument): DraftInput | undefined {
    return [...this.#inputs].find(([, input]) => input === document)?.[0];
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #opened(document: vscode.TextDocument): void {
    if (!isInput(document)) return;
    const draft = this.#match();
    if (!draft) return;
    this.#inputs.set(draft, document);
    void this.#restoreText(document, draft.text).then(() => this.#shown.fire(draft));
  }

  /** The newest draft in a visible transcript whose input box is not known yet. */
  #match(): DraftInput | undefined {
    const visible = new Set(
      vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()),
    );
    const drafts = [...this.#drafts()];
    for (const draft of this.#inputs.keys())
      if (!drafts.includes(draft)) this.#inputs.delete(draft);
    return drafts.findLast((each) => !this.#inputs.has(each) && visible.has(each.uri.toString()));
  }

  /** Writes the stored text into the box: VS Code forgets it when the window reloads. */
  async #restoreText(document: vscode.TextDocument, text: string): Promise<void> {
    if (text === '') return;
    this.#restoring.add(document);
    // Try several times: an edit fails if VS Code changes the new input box at the same time.
    for (let tries = 0; tries < MAX_TRIES && document.getText() === ''; tries++) {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), text);
      await vscode.workspace.applyEdit(edit);
    }
    this.#restoring.delete(document);
  }

  #changed(document: vscode.TextDocument): void {
    if (!isInput(document)) return;
    if (this.#restoring.has(document) && document.getText() === '') return;
    // A draft opened by `+` is unknown until the user submits it, because VS Code does not report
    // clicks on `+`; its box is then matched here.
    const draft = this.draftOf(document) ?? this.#match();
    if (!draft) return;
    this.#inputs.set(draft, document);
    draft.setText(document.getText());
  }

  #closed(document: vscode.TextDocument): void {
    for (const [draft, input] of this.#inputs) if (input === document) this.#inputs.delete(draft);
  }
}

function isInput({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'comment' && uri.authority === COMMENT_CONTROLLERS.instructions;
}
