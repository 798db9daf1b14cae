import path from 'node:path';
import type { Disposable } from '../../base/lifecycle.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import { SNAPSHOTS_FILE } from '../../snapshots/node/list/snapshotsFile.ts';
import { LineTail } from '../../platform/node/files/lineTail.ts';
import { decodeSnapshotLines } from '../../snapshots/common/snapshotLine.ts';
import { isRunning } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

/** Marks the current line of a session's terminals. */
export interface MarkedTerminals {
  mark(sessionId: string): void;
}

/** Marks prompts and snapshots in running terminals: moments that the user can go back to. */
export class TerminalMarks implements Disposable {
  readonly #terminals: MarkedTerminals;
  readonly #snapshots = new Map<string, NewSnapshots>();
  readonly #listeners: readonly Disposable[];

  constructor(store: SessionStore, live: LiveSessions, terminals: MarkedTerminals) {
    this.#terminals = terminals;
    this.#listeners = [
      live.onNews(({ id, events }) => {
        if (events.some(({ kind }) => kind === 'user.prompt')) terminals.mark(id);
      }),
      store.onDidChange(() => this.#follow(store)),
    ];
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    for (const snapshots of this.#snapshots.values()) snapshots.dispose();
    this.#snapshots.clear();
  }

  #follow(store: SessionStore): void {
    const running = new Map(store.sessions.filter(isRunning).map((each) => [each.meta.id, each]));
    for (const [id, snapshots] of this.#snapshots) {
      if (running.has(id)) continue;
      snapshots.dispose();
      this.#snapshots.delete(id);
    }
    for (const [id, { folder }] of running) {
      if (this.#snapshots.has(id)) continue;
      this.#snapshots.set(id, new NewSnapshots(folder, () => this.#terminals.mark(id)));
    }
  }
}

/** Reports new snapshots of a session. */
class NewSnapshots implements Disposable {
  readonly #tail: LineTail;
  readonly #seen = new Set<bigint>();
  #isCaughtUp = false;
  #isDisposed = false;

  constructor(folder: string, onKept: () => void) {
    this.#tail = new LineTail(path.join(folder, SNAPSHOTS_FILE), {
      onLine: (text) => {
        const [line] = decodeSnapshotLines(text);
        // A second line with the same ID only completes the snapshot.
        if (!line || line.files.state === 'failed' || this.#seen.has(line.id)) return;
        this.#seen.add(line.id);
        if (this.#isCaughtUp) onKept();
      },
    });
    void this.#start();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#tail.dispose();
  }

  /** Skips earlier snapshots, whose lines in the terminal are unknown. */
  async #start(): Promise<void> {
    await this.#tail.read();
    this.#isCaughtUp = true;
    if (!this.#isDisposed) this.#tail.start();
  }
}
