import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { MomentArgument } from '../branches/momentArgument.ts';
import { COMMANDS, COMMENT_CONTROLLERS } from '../contributions.ts';
import { durationText } from '../sessions/timeText.ts';
import { canBranch } from './canBranch.ts';
import { branchPlace, lastLineKept, snapshotFor } from './draftPlace.ts';
import type { SessionTranscript } from './sessionTranscript.ts';
import type { TranscriptDocuments } from './transcriptDocuments.ts';
import type { TranscriptStyle } from './transcriptStyle.ts';
import { TRANSCRIPT_SCHEME } from './transcriptUri.ts';

const MAX_LABEL_LENGTH = 60;
/** VS Code shows a draft within milliseconds; without one, the focus stays where it is. */
const SHOWN_MS = 3000;

/** Drafts of instructions between the lines of a transcript; each starts a branch from its line. */
export class InstructionDrafts implements vscode.Disposable {
  readonly #documents: TranscriptDocuments;
  readonly #style: TranscriptStyle;
  readonly #controller: vscode.CommentController;
  readonly #closes: vscode.Disposable;
  /** One draft per document: two would dim different lines. */
  readonly #drafts = new Map<string, vscode.CommentThread>();

  constructor(documents: TranscriptDocuments, style: TranscriptStyle) {
    this.#documents = documents;
    this.#style = style;
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
    this.#closes = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#drop(uri));
  }

  /** Opens a draft after a line. @param argument `{ uri, line }`; the cursor's line if undefined */
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
    const shown = draftShown();
    const range = new vscode.Range(line, 0, line, 0);
    const thread = this.#controller.createCommentThread(uri, range, []);
    thread.canReply = true;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.#adopt(thread, line);
    if (editor && (await shown)) await focusDraft(editor, line);
    return thread;
  }

  /** Branches with the draft's text. @param argument VS Code passes `{ thread, text }` */
  async branch(argument: unknown): Promise<void> {
    const { thread, text } = argument as Partial<vscode.CommentReply>;
    const message = text?.trim() ?? '';
    if (!thread || message === '') {
      throw new UserError('no-message', vscode.l10n.t('Enter an instruction.'));
    }
    const line = thread.range?.end.line ?? 0;
    this.#adopt(thread, line);
    const transcript = this.#transcript(thread.uri);
    const { byte, timeNs } = branchPlace(transcript, line);
    const meta = { id: transcript.sessionId };
    const moment: MomentArgument = { meta, byte, timeNs: String(timeNs), message };
    const branch: unknown = await vscode.commands.executeCommand(COMMANDS.branchHere, moment);
    if (branch !== undefined) return this.#drop(thread.uri);
    // VS Code has emptied the input box: keep the text as a comment, since no branch was created.
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

  /**
   * Makes a thread the draft of its document: labels it with its snapshot and dims the lines after
   * it.
   */
  #adopt(thread: vscode.CommentThread, line: number): void {
    const before = this.#drafts.get(thread.uri.toString());
    if (before !== thread) before?.dispose();
    this.#drafts.set(thread.uri.toString(), thread);
    thread.contextValue = 'draft';
    thread.label = draftLabel(this.#transcript(thread.uri), line);
    this.#style.dimAfter(thread.uri, lastLineKept(this.#transcript(thread.uri), line));
  }

  #transcript(uri: vscode.Uri): SessionTranscript {
    const transcript = this.#documents.of(uri);
    if (transcript) return transcript;
    throw new UserError('session-not-found', vscode.l10n.t('This session no longer exists.'));
  }

  #drop(uri: vscode.Uri): void {
    this.#drafts.get(uri.toString())?.dispose();
    if (this.#drafts.delete(uri.toString())) this.#style.dimAfter(uri, undefined);
  }
}

/** Whether VS Code has opened the document of a draft's input box. */
function draftShown(): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isShown: boolean) => {
      clearTimeout(timer);
      opens.dispose();
      resolve(isShown);
    };
    const timer = setTimeout(() => end(false), SHOWN_MS);
    const opens = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (uri.scheme === 'comment') end(true);
    });
  });
}

/** VS Code moves the focus to the draft beside the cursor, and from there to its input box. */
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
  const label = snapshot.label.slice(0, MAX_LABEL_LENGTH);
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
