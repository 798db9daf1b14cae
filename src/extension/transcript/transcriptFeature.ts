import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { CommandHandler } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { TimelinePanels } from '../timeline/timelinePanels.ts';
import { BranchPointLenses } from './branchPointLenses.ts';
import { InstructionDrafts } from './instructionDrafts.ts';
import { TranscriptDocuments } from './transcriptDocuments.ts';
import { TranscriptStyle } from './transcriptStyle.ts';
import { TranscriptOutline } from './transcriptOutline.ts';
import { asSessionArgument, TRANSCRIPT_SCHEME, transcriptUri } from './transcriptUri.ts';

export interface TranscriptSurroundings {
  readonly extensionUri: vscode.Uri;
  readonly store: SessionStore;
  readonly chooser: SessionChooser;
  readonly timelines: TimelinePanels;
}

/** Everything the editor offers for a session as text. */
export class TranscriptFeature implements vscode.Disposable {
  readonly #surroundings: TranscriptSurroundings;
  readonly #resources: vscode.Disposable;
  readonly documents: TranscriptDocuments;
  readonly handlers;

  constructor(surroundings: TranscriptSurroundings) {
    this.#surroundings = surroundings;
    const { extensionUri, store, timelines } = surroundings;
    this.documents = new TranscriptDocuments(store, timelines.workerFile);
    const look = new TranscriptStyle(this.documents, extensionUri);
    const drafts = new InstructionDrafts(this.documents, look);
    this.#resources = vscode.Disposable.from(
      drafts,
      look,
      new BranchPointLenses(this.documents),
      TranscriptOutline.register(this.documents),
      this.documents,
    );
    this.handlers = {
      [COMMANDS.openTranscript]: (argument) => this.#open(argument),
      [COMMANDS.showInTimeline]: () => this.#showInTimeline(),
      [COMMANDS.draftInstruction]: (argument) => drafts.open(argument),
      [COMMANDS.branchFromDraft]: (argument) => drafts.branch(argument),
      [COMMANDS.discardDraft]: (argument) => Promise.resolve(drafts.discard(argument)),
    } satisfies Record<string, CommandHandler>;
  }

  dispose(): void {
    this.#resources.dispose();
  }

  /** Takes away what shows a session as text. */
  async close(sessionId: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const ofSession = tabs.filter(
      ({ input }) =>
        input instanceof vscode.TabInputText &&
        input.uri.scheme === TRANSCRIPT_SCHEME &&
        input.uri.query === sessionId,
    );
    await vscode.window.tabGroups.close(ofSession);
  }

  async #open(argument: unknown): Promise<void> {
    const { chooser, timelines } = this.#surroundings;
    const given = asSessionArgument(argument) ?? timelines.activeSession;
    const session = await chooser.choose(given, {
      accepts: () => true,
      placeHolder: vscode.l10n.t('Which session’s transcript shall be opened?'),
      none: vscode.l10n.t('There is no recording yet.'),
    });
    if (!session) return;
    const document = await vscode.workspace.openTextDocument(transcriptUri(session));
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** The timeline at the line where the cursor is. */
  #showInTimeline(): Promise<void> {
    const { store, timelines } = this.#surroundings;
    const editor = vscode.window.activeTextEditor;
    const transcript = editor && this.documents.of(editor.document.uri);
    const session = transcript && store.get(transcript.sessionId);
    if (!session) {
      throw new UserError('no-transcript', vscode.l10n.t('Open a transcript first.'));
    }
    const line = transcript.lines[editor.selection.active.line];
    timelines.show(session, line && { byteOffset: line.byteOffset });
    return Promise.resolve();
  }
}
