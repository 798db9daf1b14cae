import * as vscode from 'vscode';
import type { TranscriptLine } from '../../timeline/common/transcript/transcript.ts';
import type { MomentArgument } from '../branches/momentArgument.ts';
import { COMMANDS } from '../contributions.ts';
import { canBranch } from './canBranch.ts';
import type { SessionTranscript } from './sessionTranscript.ts';
import type { TranscriptDocuments } from './transcriptDocuments.ts';
import { TRANSCRIPT_SCHEME } from './transcriptUri.ts';

/** Code lenses above prompts and snapshots, which branch, open or compare. */
export class BranchPointLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #documents: TranscriptDocuments;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #resources: vscode.Disposable;

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(documents: TranscriptDocuments) {
    this.#documents = documents;
    this.#resources = vscode.Disposable.from(
      this.#changes,
      documents.onDidChangeTranscript(() => this.#changes.fire()),
      vscode.languages.registerCodeLensProvider({ scheme: TRANSCRIPT_SCHEME }, this),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const transcript = this.#documents.of(document.uri);
    if (!transcript) return [];
    const isBranching = await canBranch();
    const lines = transcript.lines.slice(0, document.lineCount);
    return [
      ...troubleLens(transcript),
      ...lines.flatMap((line, index) => lenses(line, index, document.uri, isBranching)),
    ];
  }

  dispose(): void {
    this.#resources.dispose();
  }
}

function lenses(
  line: TranscriptLine,
  index: number,
  uri: vscode.Uri,
  isBranching: boolean,
): vscode.CodeLens[] {
  const range = new vscode.Range(index, 0, index, 0);
  const lens = (title: string, command: string, argument: unknown) =>
    new vscode.CodeLens(range, { title, command, arguments: [argument] });
  const { kind, snapshotId } = line;
  const branch =
    isBranching && (kind === 'prompt' || snapshotId !== undefined)
      ? [lens(vscode.l10n.t('Branch here'), COMMANDS.draftInstruction, { uri, line: index })]
      : [];
  const meta = { id: uri.query };
  if (snapshotId === undefined) {
    const { changesId, changesFromId } = line;
    if (changesId === undefined) return branch;
    const turn = { meta, snapshotId: changesId, fromSnapshotId: changesFromId };
    return [...branch, lens(vscode.l10n.t('Diff of turn'), COMMANDS.showChangesOfSnapshot, turn)];
  }
  const snapshot: MomentArgument = { meta, snapshotId };
  return [
    ...branch,
    lens(vscode.l10n.t('Open snapshot'), COMMANDS.openSnapshot, snapshot),
    lens(vscode.l10n.t('Diff'), COMMANDS.showChangesOfSnapshot, snapshot),
  ];
}

/**
 * Warns in the first line that the recording can't be read, so the transcript may be incomplete.
 */
function troubleLens({ trouble, lines }: SessionTranscript): vscode.CodeLens[] {
  if (trouble === undefined || lines.length === 0) return [];
  return [
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
      title: `$(warning) ${trouble}`,
      command: '',
    }),
  ];
}
