import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { COMMENT_CONTROLLERS } from '../contributions.ts';
import { durationText } from '../sessions/timeText.ts';
import { BRANCH_COMMAND, canBranch, type BranchRequest } from './canBranch.ts';
import { branchPlace, lastLineKept, snapshotFor } from './draftPlace.ts';
import type { SessionTranscript } from './sessionTranscript.ts';
import type { TranscriptDocuments } from './transcriptDocuments.ts';
import type { TranscriptStyle } from './transcriptStyle.ts';
import { TRANSCRIPT_SCHEME } from './transcriptUri.ts';

const MAX_LABEL_LENGTH = 60;

/** Instructions that are being written between the lines of a transcript: what shall be done instead of what follows. */
export class InstructionDrafts implements vscode.Disposable {
  readonly #documents: TranscriptDocuments;
  readonly #look: TranscriptStyle;
  readonly #controller: vscode.CommentController;
  readonly #closes: vscode.Disposable;
  /** One at a time in each document: two would disagree about what has happened. */
  readonly #drafts = new Map<string, vscode.CommentThread>();

  constructor(documents: TranscriptDocuments, look: TranscriptStyle) {
    this.#documents = documents;
    this.#look = look;
    const label = vscode.l10n.t('Instructions');
    this.#controller = vscode.comments.createCommentController(
      COMMENT_CONTROLLERS.instructions,
      label,
    );
    this.#controller.options = {
      prompt: vscode.l10n.t('What shall be done instead?'),
      placeHolder: vscode.l10n.t('What shall be done instead of what follows?'),
    };
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: async ({ uri, lineCount }) => {
        if (uri.scheme !== TRANSCRIPT_SCHEME || !(await canBranch())) return [];
        return [new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0)];
      },
    };
    this.#closes = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#drop(uri));
  }

  /** Opens a draft after a line. @param argument `{ uri, line }`, or nothing for where the cursor is */
  async open(argument: unknown): Promise<vscode.CommentThread> {
    const { uri, line } = placeOf(argument);
    if (!(await canBranch())) {
      throw new UserError('no-action', vscode.l10n.t('This cannot be done here yet.'));
    }
    const thread = this.#controller.createCommentThread(
      uri,
      new vscode.Range(line, 0, line, 0),
      [],
    );
    thread.canReply = true;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.#adopt(thread, line);
    return thread;
  }

  /** Branches with what was written. @param argument the thread and its text, as the editor passes them on */
  async branch(argument: unknown): Promise<void> {
    const { thread, text } = argument as Partial<vscode.CommentReply>;
    const message = text?.trim() ?? '';
    if (!thread || message === '') {
      throw new UserError('no-message', vscode.l10n.t('Write what shall be done first.'));
    }
    const line = thread.range?.end.line ?? 0;
    this.#adopt(thread, line);
    const transcript = this.#transcript(thread.uri);
    const { byteOffset: byte, tsNs } = branchPlace(transcript, line);
    const { sessionId } = transcript;
    const request: BranchRequest = { sessionId, byte, tsNs: String(tsNs), message };
    const branch: unknown = await vscode.commands.executeCommand(BRANCH_COMMAND, request);
    if (branch !== undefined) return this.#drop(thread.uri);
    // The editor empties the box: what was written must not be lost where nothing came of it.
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
    this.#closes.dispose();
    this.#controller.dispose();
  }

  /** Makes a thread the draft of its document: names what it starts from, and dims what it undoes. */
  #adopt(thread: vscode.CommentThread, line: number): void {
    const before = this.#drafts.get(thread.uri.toString());
    if (before !== thread) before?.dispose();
    this.#drafts.set(thread.uri.toString(), thread);
    thread.contextValue = 'draft';
    thread.label = draftLabel(this.#transcript(thread.uri), line);
    this.#look.dimAfter(thread.uri, lastLineKept(this.#transcript(thread.uri), line));
  }

  #transcript(uri: vscode.Uri): SessionTranscript {
    const transcript = this.#documents.of(uri);
    if (transcript) return transcript;
    throw new UserError('session-not-found', vscode.l10n.t('That session is no longer there.'));
  }

  #drop(uri: vscode.Uri): void {
    this.#drafts.get(uri.toString())?.dispose();
    if (this.#drafts.delete(uri.toString())) this.#look.dimAfter(uri, undefined);
  }
}

/** What a branch after a line would start from. */
function draftLabel(transcript: SessionTranscript, index: number): string {
  const line = transcript.lines[index];
  const snapshot = snapshotFor(transcript, index);
  if (!line || !snapshot) {
    return vscode.l10n.t('Instead of what follows · no files were kept in this session');
  }
  const label = snapshot.label.slice(0, MAX_LABEL_LENGTH);
  const { snapshotId } = snapshot;
  if (snapshot.byteOffset === line.byteOffset) {
    return vscode.l10n.t('Instead of what follows · from snapshot #{0} “{1}”', snapshotId, label);
  }
  const awayMs = Number(transcript.placeOf(index).tsNs - snapshot.tsNs) / 1e6;
  const away = durationText(Math.abs(awayMs));
  return snapshot.byteOffset < line.byteOffset
    ? vscode.l10n.t(
        'Instead of what follows · from snapshot #{0} “{1}”, {2} earlier',
        ...([snapshotId, label, away] as const),
      )
    : vscode.l10n.t(
        'Instead of what follows · from snapshot #{0} “{1}”, {2} later',
        ...([snapshotId, label, away] as const),
      );
}

function placeOf(argument: unknown): { uri: vscode.Uri; line: number } {
  const { uri, line, lineNumber } = (argument ?? {}) as Record<string, unknown>;
  const editor = vscode.window.activeTextEditor;
  const place = uri instanceof vscode.Uri ? uri : editor?.document.uri;
  if (place?.scheme !== TRANSCRIPT_SCHEME) {
    throw new UserError('no-transcript', vscode.l10n.t('Open a transcript first.'));
  }
  if (typeof line === 'number') return { uri: place, line };
  // A menu on line numbers counts from 1.
  if (typeof lineNumber === 'number') return { uri: place, line: lineNumber - 1 };
  return { uri: place, line: editor?.selection.active.line ?? 0 };
}
