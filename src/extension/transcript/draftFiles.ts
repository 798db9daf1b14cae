import * as vscode from 'vscode';
import { matchFiles, mentionAt } from '../../timeline/common/fileMention.ts';

/** A short list is enough, because VS Code asks again while the user types. */
const MAX_FILES = 100;

/** Completes the names of files after an `@` in the input boxes of drafts. */
export class DraftFiles implements vscode.CompletionItemProvider {
  readonly #filesFor: (document: vscode.TextDocument) => Promise<readonly string[]>;

  /** @param filesFor the files at the moment of the draft to which an input box belongs */
  static register(
    filesFor: (document: vscode.TextDocument) => Promise<readonly string[]>,
  ): vscode.Disposable {
    const selector = { scheme: 'comment' };
    return vscode.languages.registerCompletionItemProvider(selector, new DraftFiles(filesFor), '@');
  }

  private constructor(filesFor: (document: vscode.TextDocument) => Promise<readonly string[]>) {
    this.#filesFor = filesFor;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    caret: vscode.Position,
  ): Promise<vscode.CompletionList | undefined> {
    const mention = mentionAt(document.lineAt(caret).text, caret.character);
    if (!mention) return undefined;
    const files = await this.#filesFor(document);
    const range = new vscode.Range(caret.with({ character: mention.at }), caret);
    const items = matchFiles(files, mention.text, MAX_FILES).map((file, index) => {
      const item = new vscode.CompletionItem(file, vscode.CompletionItemKind.File);
      item.insertText = `@${file} `;
      // VS Code filters the items by the text in `range` and sorts them itself, so set both texts.
      item.filterText = `@${file}`;
      item.sortText = String(index).padStart(3, '0');
      item.range = range;
      return item;
    });
    return new vscode.CompletionList(items, true);
  }
}
