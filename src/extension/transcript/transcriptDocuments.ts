import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { SessionTranscript } from './sessionTranscript.ts';
import { transcriptText } from './transcriptText.ts';
import { TRANSCRIPT_SCHEME } from './transcriptUri.ts';

/** Provides open transcripts as read-only documents. */
export class TranscriptDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #store: SessionStore;
  readonly #workerFile: string;
  readonly #open = new Map<string, SessionTranscript>();
  readonly #documentChanges = new vscode.EventEmitter<vscode.Uri>();
  readonly #changes = new vscode.EventEmitter<SessionTranscript>();
  readonly #resources: vscode.Disposable;

  readonly onDidChange = this.#documentChanges.event;
  /** Fires before VS Code updates the document. */
  readonly onDidChangeTranscript = this.#changes.event;

  constructor(store: SessionStore, workerFile: string) {
    this.#store = store;
    this.#workerFile = workerFile;
    this.#resources = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(TRANSCRIPT_SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#close(uri)),
      this.#documentChanges,
      this.#changes,
    );
  }

  /** @returns the transcript that a document shows, if it is open */
  of(uri: vscode.Uri): SessionTranscript | undefined {
    return this.#open.get(uri.toString());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return transcriptText(this.of(uri) ?? (await this.#read(uri)));
  }

  dispose(): void {
    this.#resources.dispose();
    for (const transcript of this.#open.values()) transcript.dispose();
    this.#open.clear();
  }

  async #read(uri: vscode.Uri): Promise<SessionTranscript> {
    // After a reload VS Code asks for the document before the store is filled.
    if (!this.#store.get(uri.query)) await this.#store.refresh();
    const session = this.#store.get(uri.query);
    if (!session) {
      throw new UserError('session-not-found', vscode.l10n.t('This session no longer exists.'));
    }
    const { id, recording } = session.meta;
    const transcript = new SessionTranscript(this.#workerFile, id, recording);
    this.#open.set(uri.toString(), transcript);
    transcript.onDidChange(() => {
      this.#documentChanges.fire(uri);
      this.#changes.fire(transcript);
    });
    return transcript;
  }

  #close(uri: vscode.Uri): void {
    this.of(uri)?.dispose();
    this.#open.delete(uri.toString());
  }
}
