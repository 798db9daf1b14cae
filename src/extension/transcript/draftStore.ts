import type * as vscode from 'vscode';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { DraftAnchor } from './draftAnchor.ts';

export interface StoredDraft {
  readonly anchor: DraftAnchor;
  readonly text: string;
}

const PREFIX = 'draft.';
/** Limited because VS Code keeps the state of a workspace in memory. */
const MAX_TEXT_LENGTH = 100_000;

/**
 * Stores the drafts of a workspace, one for each session, in the extension's private state, which
 * survives a reload.
 */
export class DraftStore {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get(sessionId: string): StoredDraft | undefined {
    return asDraft(this.#memento.get(PREFIX + sessionId));
  }

  set(sessionId: string, { anchor, text }: StoredDraft): void {
    const draft = { anchor, text: text.slice(0, MAX_TEXT_LENGTH) };
    void this.#memento.update(PREFIX + sessionId, draft);
  }

  delete(sessionId: string): void {
    const key = PREFIX + sessionId;
    if (this.#memento.get(key) !== undefined) void this.#memento.update(key, undefined);
  }

  /**
   * Deletes the drafts of sessions that no longer exist. Does nothing if some sessions could not be
   * read.
   */
  prune(sessions: Pick<SessionStore, 'get' | 'areSomeUnknown'>): void {
    if (sessions.areSomeUnknown) return;
    for (const key of this.#memento.keys()) {
      if (!key.startsWith(PREFIX)) continue;
      const id = key.slice(PREFIX.length);
      if (!sessions.get(id)) this.delete(id);
    }
  }
}

/** Checks what another version of the extension may have written. */
function asDraft(value: unknown): StoredDraft | undefined {
  const { anchor, text } = (value ?? {}) as Partial<StoredDraft>;
  const { kind, byte, timeMs, nth } = anchor ?? {};
  if (typeof kind !== 'string' || typeof text !== 'string') return undefined;
  if (typeof byte !== 'number' || typeof timeMs !== 'number' || typeof nth !== 'number') {
    return undefined;
  }
  return { anchor: { kind, byte, timeMs, nth }, text };
}
