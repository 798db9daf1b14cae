import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { registerCommands } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import type { Services } from '../services.ts';
import { momentFiles } from '../timeline/momentFiles.ts';
import { BranchPointLenses } from './branchPointLenses.ts';
import { DraftStore } from './draftStore.ts';
import { InstructionDrafts } from './instructionDrafts.ts';
import { TranscriptDocuments } from './transcriptDocuments.ts';
import { TranscriptOutline } from './transcriptOutline.ts';
import { TranscriptStyle } from './transcriptStyle.ts';
import { asSessionArgument, TRANSCRIPT_SCHEME, transcriptUri } from './transcriptUri.ts';

/**
 * Registers transcripts, which show sessions as text documents, and drafts of instructions in them.
 */
export function registerTranscripts(
  { extensionUri, workspaceState }: vscode.ExtensionContext,
  services: Services,
): vscode.Disposable {
  const { log, store, timelines, openedSnapshots } = services;
  const documents = new TranscriptDocuments(store, timelines.workerFile);
  const style = new TranscriptStyle(documents, extensionUri);
  const stored = new DraftStore(workspaceState);
  const drafts = new InstructionDrafts(documents, style, stored, (sessionId, snapshotId) =>
    momentFiles(openedSnapshots, sessionId, { snapshotId }),
  );
  const firstRefresh = store.onDidChange(() => {
    firstRefresh.dispose();
    stored.prune(store);
  });
  return vscode.Disposable.from(
    firstRefresh,
    drafts,
    style,
    new BranchPointLenses(documents),
    TranscriptOutline.register(documents),
    documents,
    registerCommands(
      {
        [COMMANDS.openTranscript]: (argument) => openTranscript(argument, services),
        [COMMANDS.showInTimeline]: () => Promise.resolve(showInTimeline(documents, services)),
        [COMMANDS.draftInstruction]: (argument) => drafts.open(argument),
        [COMMANDS.branchFromDraft]: (argument) => drafts.branch(argument),
        [COMMANDS.discardDraft]: (argument) => Promise.resolve(drafts.discard(argument)),
      },
      log,
    ),
  );
}

/** Closes the tabs that show a session's transcript. */
export async function closeTranscripts(sessionId: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ofSession = tabs.filter(
    ({ input }) =>
      input instanceof vscode.TabInputText &&
      input.uri.scheme === TRANSCRIPT_SCHEME &&
      input.uri.query === sessionId,
  );
  await vscode.window.tabGroups.close(ofSession);
}

async function openTranscript(argument: unknown, services: Services): Promise<void> {
  const { chooser, timelines } = services;
  const given = asSessionArgument(argument) ?? timelines.activeSession;
  const session = await chooser.choose(given, {
    accepts: () => true,
    placeHolder: vscode.l10n.t('Select a session to open its transcript'),
    none: vscode.l10n.t('No recordings yet.'),
  });
  if (!session) return;
  const document = await vscode.workspace.openTextDocument(transcriptUri(session));
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Opens the timeline at the line of the cursor. */
function showInTimeline(documents: TranscriptDocuments, { store, timelines }: Services): void {
  const editor = vscode.window.activeTextEditor;
  const transcript = editor && documents.of(editor.document.uri);
  const session = transcript && store.get(transcript.sessionId);
  if (!session) {
    throw new UserError('no-transcript', vscode.l10n.t('Open a transcript first.'), {
      remedy: { kind: 'openTranscript' },
    });
  }
  const line = transcript.lines[editor.selection.active.line];
  timelines.show(session, line && { byteOffset: line.byteOffset });
}
