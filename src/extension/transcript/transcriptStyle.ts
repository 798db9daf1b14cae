import * as vscode from 'vscode';
import type { TranscriptDocuments } from './transcriptDocuments.ts';
import { TRANSCRIPT_SCHEME } from './transcriptUri.ts';

/** Kinds of moments; each has an icon in `media/gutter`. */
const KINDS = ['prompt', 'message', 'tool', 'approval', 'error', 'snapshot', 'branch'] as const;

/**
 * Decorates transcripts with icons in the gutter for moments, and dims the lines that a branch from
 * a draft would drop.
 */
export class TranscriptStyle implements vscode.Disposable {
  readonly #documents: TranscriptDocuments;
  readonly #icons: ReadonlyMap<string, vscode.TextEditorDecorationType>;
  readonly #dimmed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    opacity: '0.4',
  });
  /** The last line that is not dimmed, by document URI. */
  readonly #dimmedAfter = new Map<string, number>();
  readonly #resources: vscode.Disposable;

  constructor(documents: TranscriptDocuments, extensionUri: vscode.Uri) {
    this.#documents = documents;
    this.#icons = new Map(
      KINDS.map((kind) => [
        kind,
        vscode.window.createTextEditorDecorationType({
          gutterIconPath: vscode.Uri.joinPath(extensionUri, `media/gutter/${kind}.svg`),
          gutterIconSize: '75%',
        }),
      ]),
    );
    this.#resources = vscode.Disposable.from(
      this.#dimmed,
      ...this.#icons.values(),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#showAll()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#showAll(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#dimmedAfter.delete(uri.toString());
      }),
    );
  }

  /** Dims all lines after `line`, or none if it is undefined. */
  dimAfter(uri: vscode.Uri, line: number | undefined): void {
    if (line === undefined) this.#dimmedAfter.delete(uri.toString());
    else this.#dimmedAfter.set(uri.toString(), line);
    this.#showAll(uri);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #showAll(uri?: vscode.Uri): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      if (document.uri.scheme !== TRANSCRIPT_SCHEME) continue;
      if (!uri || document.uri.toString() === uri.toString()) this.#show(editor);
    }
  }

  #show(editor: vscode.TextEditor): void {
    const { document } = editor;
    const lines = this.#documents.of(document.uri)?.lines.slice(0, document.lineCount) ?? [];
    const ranges = new Map<string, vscode.Range[]>(KINDS.map((kind) => [kind, []]));
    for (const [index, { kind, momentId, isError }] of lines.entries()) {
      if (momentId === undefined) continue;
      ranges.get(isError ? 'error' : kind)?.push(new vscode.Range(index, 0, index, 0));
    }
    for (const [kind, type] of this.#icons) editor.setDecorations(type, ranges.get(kind) ?? []);
    const after = this.#dimmedAfter.get(document.uri.toString());
    const isDimmed = after !== undefined && after + 1 < document.lineCount;
    const rest = new vscode.Range((after ?? 0) + 1, 0, document.lineCount, 0);
    editor.setDecorations(this.#dimmed, isDimmed ? [rest] : []);
  }
}
