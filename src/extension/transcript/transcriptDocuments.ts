import * as vscode from 'vscode';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { SessionTranscript } from './sessionTranscript.ts';
import { transcriptText } from './transcriptText.ts';
import { TRANSCRIPT_SCHEME } from './transcriptUri.ts';

interface OpenTranscript {
  readonly transcript: SessionTranscript;
  /** Increases with each change, so that VS Code reads the document again. */
  version: number;
}

/**
 * Provides transcripts as files, because after a reload VS Code reopens only tabs of files. Reads a
 * recording only while its document is open.
 */
export class TranscriptDocuments implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #store: SessionStore;
  readonly #workerFile: string;
  readonly #open = new Map<string, OpenTranscript>();
  readonly #fileChanges = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #changes = new vscode.EventEmitter<SessionTranscript>();
  readonly #resources: vscode.Disposable;

  readonly onDidChangeFile = this.#fileChanges.event;
  /** Fires when a transcript has changed, before VS Code updates its document. */
  readonly onDidChangeTranscript = this.#changes.event;

  constructor(store: SessionStore, workerFile: string) {
    this.#store = store;
    this.#workerFile = workerFile;
    this.#resources = vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(
        ...([TRANSCRIPT_SCHEME, this, { isCaseSensitive: true, isReadonly: true }] as const),
      ),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#close(uri)),
      this.#fileChanges,
      this.#changes,
    );
    // Read documents that VS Code kept when the extension host was killed: VS Code does not request
    // them again.
    for (const { uri } of vscode.workspace.textDocuments) {
      // If the session was deleted, the document keeps its text.
      if (uri.scheme === TRANSCRIPT_SCHEME) this.#read(uri).catch(() => undefined);
    }
  }

  /** @returns the transcript that a document shows, if it is open */
  of(uri: vscode.Uri): SessionTranscript | undefined {
    return this.#open.get(uri.toString())?.transcript;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const open = this.#open.get(uri.toString());
    if (!open) await this.#session(uri);
    const { version = 0 } = open ?? {};
    const size = open ? contentOf(open.transcript).length : 0;
    return { type: vscode.FileType.File, ctime: 0, mtime: version, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return contentOf(this.of(uri) ?? (await this.#read(uri)));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): never {
    throw vscode.FileSystemError.Unavailable();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    this.#resources.dispose();
    for (const { transcript } of this.#open.values()) transcript.dispose();
    this.#open.clear();
  }

  async #session(uri: vscode.Uri): Promise<Session> {
    // After a reload, VS Code requests the document before the store has read the sessions.
    if (!this.#store.get(uri.query)) await this.#store.refresh();
    const session = this.#store.get(uri.query);
    if (session) return session;
    throw vscode.FileSystemError.FileNotFound(vscode.l10n.t('This session no longer exists.'));
  }

  async #read(uri: vscode.Uri): Promise<SessionTranscript> {
    const { id, recording } = (await this.#session(uri)).meta;
    const before = this.of(uri);
    if (before) return before;
    const transcript = new SessionTranscript(this.#workerFile, id, recording);
    const open: OpenTranscript = { transcript, version: Date.now() };
    this.#open.set(uri.toString(), open);
    transcript.onDidChange(() => {
      open.version = Math.max(open.version + 1, Date.now());
      this.#fileChanges.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      this.#changes.fire(transcript);
    });
    return transcript;
  }

  #close(uri: vscode.Uri): void {
    this.of(uri)?.dispose();
    this.#open.delete(uri.toString());
  }
}

/**
 * The document's text. A byte order mark makes VS Code decode it as UTF-8, whatever the setting
 * `files.encoding` is.
 */
function contentOf(transcript: SessionTranscript): Uint8Array {
  return new TextEncoder().encode(`\ufeff${transcriptText(transcript)}`);
}
