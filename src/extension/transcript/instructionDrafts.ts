import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { plainText } from '../../base/plainText.ts';
import type { MomentArgument } from '../branches/momentArgument.ts';
import { COMMANDS, COMMENT_CONTROLLERS } from '../contributions.ts';
import { threadLabel } from '../plainLabel.ts';
import { durationText } from '../sessions/timeText.ts';
import { canBranch } from './canBranch.ts';
import { Draft } from './draft.ts';
import { DraftFiles } from './draftFiles.ts';
import { findLine } from './draftAnchor.ts';
import { DraftInputs } from './draftInputs.ts';
import { branchPlace, lastLineKept, snapshotFor } from './draftPlace.ts';
import type { DraftStore, StoredDraft } from './draftStore.ts';
import type { SessionTranscript } from './sessionTranscript.ts';
import type { TranscriptDocuments } from './transcriptDocuments.ts';
import type { TranscriptStyle } from './transcriptStyle.ts';
import { TRANSCRIPT_SCHEME } from './transcriptUri.ts';

const MAX_LABEL_LENGTH = 60;

/**
 * The drafts of instructions between the lines of transcripts. Each draft can start a branch from
 * its line.
 */
export class InstructionDrafts implements vscode.Disposable {
  readonly #documents: TranscriptDocuments;
  readonly #style: TranscriptStyle;
  readonly #store: DraftStore;
  readonly #controller: vscode.CommentController;
  readonly #inputs: DraftInputs;
  readonly #resources: vscode.Disposable;
  /** One draft for each document, because two drafts would dim different lines. */
  readonly #drafts = new Map<string, Draft>();
  /**
   * Restores drafts one after the other, because VS Code does not tell which draft an input box
   * belongs to.
   */
  #restoring: Promise<unknown> = Promise.resolve();

  /** @param filesOf lists the files of a snapshot */
  constructor(
    documents: TranscriptDocuments,
    style: TranscriptStyle,
    store: DraftStore,
    filesOf: (sessionId: string, snapshotId: bigint) => Promise<readonly string[]>,
  ) {
    this.#documents = documents;
    this.#style = style;
    this.#store = store;
    const label = vscode.l10n.t('Instructions');
    this.#controller = vscode.comments.createCommentController(
      COMMENT_CONTROLLERS.instructions,
      label,
    );
    this.#controller.options = {
      prompt: vscode.l10n.t('New instruction'),
      placeHolder: vscode.l10n.t('What should the agent do from here on?'),
    };
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: async ({ uri, lineCount }) => {
        if (uri.scheme !== TRANSCRIPT_SCHEME || !(await canBranch())) return [];
        return [new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0)];
      },
    };
    this.#inputs = new DraftInputs(() => this.#drafts.values());
    this.#resources = vscode.Disposable.from(
      this.#controller,
      this.#inputs,
      DraftFiles.register(async (document) => {
        const draft = this.#inputs.draftOf(document);
        const transcript = draft && this.#documents.of(draft.uri);
        const snapshot = transcript && snapshotFor(transcript, draft.line);
        return snapshot ? filesOf(transcript.sessionId, BigInt(snapshot.snapshotId)) : [];
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#drop(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#update(document)),
      documents.onDidChangeTranscript(({ sessionId }) => {
        for (const document of vscode.workspace.textDocuments) {
          if (document.uri.query === sessionId) this.#update(document);
        }
      }),
    );
  }

  /** Opens a draft after a line. @param argument `{ uri, line }`; by default the cursor's line */
  async open(argument: unknown): Promise<vscode.CommentThread> {
    const { uri, line } = placeOf(argument);
    if (!(await canBranch())) {
      throw new UserError(
        'no-action',
        vscode.l10n.t('This action is not available in this window.'),
      );
    }
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === uri.toString(),
    );
    const draft = this.#adopt(this.#createThread(uri, line));
    if (await this.#inputs.whenShown(draft)) {
      if (editor) await focusDraft(editor, line);
    }
    return draft.thread;
  }

  /** Starts a branch with the draft's text. @param argument VS Code passes `{ thread, text }` */
  async branch(argument: unknown): Promise<void> {
    const { thread, text } = argument as Partial<vscode.CommentReply>;
    const message = text?.trim() ?? '';
    if (!thread || message === '') {
      throw new UserError('no-message', vscode.l10n.t('Enter an instruction.'));
    }
    const draft = this.#adopt(thread);
    const transcript = this.#transcript(thread.uri);
    const { byte, timeNs } = branchPlace(transcript, draft.line);
    const meta = { id: transcript.sessionId };
    const moment: MomentArgument = { meta, byte, timeNs: String(timeNs), message };
    const branch: unknown = await draft.submit(message, async () =>
      vscode.commands.executeCommand(COMMANDS.branchHere, moment),
    );
    if (branch !== undefined) return this.#drop(thread.uri);
    // No branch was created, and VS Code has emptied the input box: keep the text as a comment.
    thread.comments = [
      {
        author: { name: vscode.l10n.t('You') },
        body: new vscode.MarkdownString().appendText(message),
        mode: vscode.CommentMode.Preview,
      },
    ];
  }

  discard(argument: unknown): void {
    const { uri } = argument as Partial<vscode.CommentThread>;
    (argument as Partial<vscode.CommentThread>).dispose?.();
    if (uri) this.#drop(uri);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  /**
   * Makes a thread the draft of its document: labels the thread with its snapshot and dims the
   * lines that a branch would drop.
   */
  #adopt(thread: vscode.CommentThread, stored?: StoredDraft): Draft {
    const transcript = this.#transcript(thread.uri);
    const before = this.#drafts.get(thread.uri.toString());
    if (before?.thread === thread) return before;
    // A draft on another line takes over the text of the previous draft.
    const text = before?.text ?? this.#store.get(transcript.sessionId)?.text ?? '';
    before?.dispose();
    const draft = new Draft(thread, transcript, this.#store, stored ?? { text });
    this.#drafts.set(thread.uri.toString(), draft);
    thread.contextValue = 'draft';
    this.#show(draft, transcript);
    return draft;
  }

  #show({ thread, uri, line }: Draft, transcript: SessionTranscript): void {
    thread.label = draftLabel(transcript, line);
    this.#style.dimAfter(uri, lastLineKept(transcript, line));
  }

  #createThread(uri: vscode.Uri, line: number): vscode.CommentThread {
    const range = new vscode.Range(line, 0, line, 0);
    const thread = this.#controller.createCommentThread(uri, range, []);
    thread.canReply = true;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    return thread;
  }

  /**
   * Restores the stored draft of a transcript after a reload, or moves an open draft with its line.
   */
  #update(document: vscode.TextDocument): void {
    const transcript = this.#documents.of(document.uri);
    if (!transcript || document.lineCount < transcript.lines.length) return;
    const draft = this.#drafts.get(document.uri.toString());
    if (draft?.follow(transcript)) this.#show(draft, transcript);
    if (draft || transcript.lines.length === 0) return;
    if (!transcript.isCurrent && transcript.trouble === undefined) return;
    if (this.#store.get(transcript.sessionId)) {
      this.#restoring = this.#restoring.then(() => this.#restore(document));
    }
  }

  async #restore({ uri }: vscode.TextDocument): Promise<void> {
    if (!(await canBranch())) return;
    const transcript = this.#documents.of(uri);
    const stored = transcript && this.#store.get(transcript.sessionId);
    if (!stored || this.#drafts.has(uri.toString())) return;
    const { index } = findLine(transcript.lines, stored.anchor);
    await this.#inputs.whenShown(this.#adopt(this.#createThread(uri, index), stored));
  }

  #transcript(uri: vscode.Uri): SessionTranscript {
    const transcript = this.#documents.of(uri);
    if (transcript) return transcript;
    throw new UserError('session-not-found', vscode.l10n.t('This session no longer exists.'));
  }

  #drop(uri: vscode.Uri): void {
    this.#drafts.get(uri.toString())?.forget();
    if (this.#drafts.delete(uri.toString())) this.#style.dimAfter(uri, undefined);
  }
}

/** Moves the focus to the draft at a line, and from there to its input box. */
async function focusDraft(editor: vscode.TextEditor, line: number): Promise<void> {
  editor.selection = new vscode.Selection(line, 0, line, 0);
  await vscode.window.showTextDocument(editor.document, {
    viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active,
    selection: editor.selection,
  });
  await vscode.commands.executeCommand('workbench.action.focusCommentOnCurrentLine');
  await vscode.commands.executeCommand('widgetNavigation.focusNext');
}

/** Names the snapshot that a branch after a line starts from. */
function draftLabel(transcript: SessionTranscript, index: number): string {
  const line = transcript.lines[index];
  const snapshot = snapshotFor(transcript, index);
  if (!line || !snapshot) {
    return vscode.l10n.t('Branch without files: this session has no snapshots');
  }
  const label = threadLabel(plainText(snapshot.label, MAX_LABEL_LENGTH));
  const { snapshotId } = snapshot;
  if (snapshot.byte === line.byteOffset) {
    return vscode.l10n.t('Branch from snapshot #{0} “{1}”', snapshotId, label);
  }
  const awayMs = Number(transcript.placeOf(index).timeNs - snapshot.timeNs) / 1e6;
  const away = durationText(Math.abs(awayMs));
  return snapshot.byte < line.byteOffset
    ? vscode.l10n.t(
        'Branch from snapshot #{0} “{1}”, {2} earlier',
        ...([snapshotId, label, away] as const),
      )
    : vscode.l10n.t(
        'Branch from snapshot #{0} “{1}”, {2} later',
        ...([snapshotId, label, away] as const),
      );
}

function placeOf(argument: unknown): { uri: vscode.Uri; line: number } {
  const { uri, line, lineNumber } = (argument ?? {}) as Record<string, unknown>;
  const editor = vscode.window.activeTextEditor;
  const place = uri instanceof vscode.Uri ? uri : editor?.document.uri;
  if (place?.scheme !== TRANSCRIPT_SCHEME) {
    throw new UserError('no-transcript', vscode.l10n.t('Open a transcript first.'), {
      remedy: { kind: 'openTranscript' },
    });
  }
  if (typeof line === 'number') return { uri: place, line };
  // The line-number menu counts from 1.
  if (typeof lineNumber === 'number') return { uri: place, line: lineNumber - 1 };
  return { uri: place, line: editor?.selection.active.line ?? 0 };
}
