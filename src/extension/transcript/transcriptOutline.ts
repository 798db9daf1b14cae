import * as vscode from 'vscode';
import type { TranscriptLine } from '../../timeline/common/transcript/transcript.ts';
import type { TranscriptDocuments } from './transcriptDocuments.ts';
import { TRANSCRIPT_SCHEME } from './transcriptUri.ts';

const SYMBOLS: Readonly<Record<string, vscode.SymbolKind>> = {
  prompt: vscode.SymbolKind.Module,
  message: vscode.SymbolKind.String,
  tool: vscode.SymbolKind.Function,
  approval: vscode.SymbolKind.Boolean,
  error: vscode.SymbolKind.Event,
  snapshot: vscode.SymbolKind.Constant,
  branch: vscode.SymbolKind.Interface,
};

/** A moment of a transcript and the lines that belong to it. */
interface Section {
  readonly line: TranscriptLine;
  readonly from: number;
  /** Last line, inclusive. */
  readonly to: number;
}

/** Outline and folding ranges of a transcript: turns, and the moments in each turn. */
export class TranscriptOutline
  implements vscode.DocumentSymbolProvider, vscode.FoldingRangeProvider
{
  readonly #documents: TranscriptDocuments;

  private constructor(documents: TranscriptDocuments) {
    this.#documents = documents;
  }

  static register(documents: TranscriptDocuments): vscode.Disposable {
    const outline = new TranscriptOutline(documents);
    const selector = { scheme: TRANSCRIPT_SCHEME };
    return vscode.Disposable.from(
      vscode.languages.registerDocumentSymbolProvider(selector, outline),
      vscode.languages.registerFoldingRangeProvider(selector, outline),
    );
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const lines = this.#linesOf(document);
    const moments = sections(lines, ({ momentId }) => momentId !== undefined);
    const turns = new Map(
      sections(lines, ({ kind }) => kind === 'prompt').map((turn) => [turn.from, turn]),
    );
    const roots: vscode.DocumentSymbol[] = [];
    let turn: vscode.DocumentSymbol | undefined;
    for (const moment of moments) {
      const whole = turns.get(moment.from);
      if (whole) {
        turn = symbol(whole, document);
        roots.push(turn);
      } else (turn?.children ?? roots).push(symbol(moment, document));
    }
    return roots;
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    const lines = this.#linesOf(document);
    return [
      ...sections(lines, ({ kind }) => kind === 'prompt'),
      ...sections(lines, ({ momentId }) => momentId !== undefined).filter(
        ({ line }) => line.kind !== 'prompt',
      ),
    ]
      .filter(({ from, to }) => to > from)
      .map(({ from, to }) => new vscode.FoldingRange(from, to, vscode.FoldingRangeKind.Region));
  }

  /**
   * The transcript's lines that the document already contains: it may lag behind the transcript.
   */
  #linesOf(document: vscode.TextDocument): readonly TranscriptLine[] {
    return this.#documents.of(document.uri)?.lines.slice(0, document.lineCount) ?? [];
  }
}

/**
 * Splits lines into sections. Each section ends before the next one starts, without trailing empty
 * lines.
 */
function sections(
  lines: readonly TranscriptLine[],
  begins: (line: TranscriptLine) => boolean,
): Section[] {
  const starts = lines.flatMap((line, from) => (begins(line) ? [from] : []));
  return starts.flatMap((from, index) => {
    const line = lines[from];
    let to = (starts[index + 1] ?? lines.length) - 1;
    while (to > from && lines[to]?.text === '') to--;
    return line ? [{ line, from, to }] : [];
  });
}

function symbol({ line, from, to }: Section, document: vscode.TextDocument): vscode.DocumentSymbol {
  const whole = new vscode.Range(new vscode.Position(from, 0), document.lineAt(to).range.end);
  const name = line.kind === 'prompt' ? `${line.turn ?? ''} ${line.text}` : line.text;
  return new vscode.DocumentSymbol(
    ...([name.trim() || '…', line.detail ?? ''] as const),
    SYMBOLS[line.kind] ?? vscode.SymbolKind.Key,
    ...([whole, document.lineAt(from).range] as const),
  );
}
