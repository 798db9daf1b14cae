import * as vscode from 'vscode';
import { COMMENT_CONTROLLERS } from '../contributions.ts';

/** VS Code shows an input box within milliseconds; without one, the rest goes on without it. */
const SHOWN_MS = 3000;
const MAX_TRIES = 5;

/** What types into the input box of a draft, and listens to it. */
export interface DraftInput {
  readonly uri: vscode.Uri;
  readonly line: number;
  readonly text: string;
  setText(text: string): void;
}

/**
 * The input boxes of drafts. VS Code offers each as a document, but does not tell its draft: it is
 * the one whose transcript is visible and that has no input box yet.
 */
export class DraftInputs implements vscode.Disposable {
  readonly #drafts: () => Iterable<DraftInput>;
  readonly #inputs = new Map<DraftInput, vscode.TextDocument>();
  /** Input boxes that get their text back. */
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

  /** @returns whether VS Code shows the input box of a draft; call this before it is created */
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

  /** The draft of an input box, once it is known. */
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

  /** A draft that VS Code shows, and whose input box is not known yet. */
  #match(): DraftInput | undefined {
    const visible = new Set(
      vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()),
    );
    const drafts = [...this.#drafts()];
    for (const draft of this.#inputs.keys())
      if (!drafts.includes(draft)) this.#inputs.delete(draft);
    return drafts.findLast((each) => !this.#inputs.has(each) && visible.has(each.uri.toString()));
  }

  /** VS Code forgets the text when the window reloads. */
  async #restoreText(document: vscode.TextDocument, text: string): Promise<void> {
    if (text === '') return;
    this.#restoring.add(document);
    // An edit fails if VS Code, which empties or fills a new input box, was faster.
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
    // VS Code opens a draft by `+` without a word; it becomes known when the user submits it.
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
