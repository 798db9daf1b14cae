import { DisposableStore, type Disposable } from '../../../base/lifecycle.ts';
import { changeSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import type { Attention } from '../../agents/attention.ts';
import type { TimelinePanels } from '../../timeline/timelinePanels.ts';
import { belongsToWorkspace, isShownHere } from '../../workspaceKey.ts';
import { isRunning, type Session } from '../session.ts';
import type { SessionStore } from '../sessionStore.ts';

/**
 * Marks sessions as unread if they end while the user looks elsewhere, until the user opens their
 * timeline.
 */
export class UnreadSessions implements Disposable {
  readonly #store: SessionStore;
  readonly #attention: Pick<Attention, 'hasFocus'>;
  readonly #resources = new DisposableStore();
  #running = new Set<string>();

  constructor(
    store: SessionStore,
    attention: Pick<Attention, 'hasFocus'>,
    timelines: Pick<TimelinePanels, 'onDidShow'>,
  ) {
    this.#store = store;
    this.#attention = attention;
    this.#resources.add(store.onDidChange(() => this.#update()));
    this.#resources.add(
      timelines.onDidShow((recording) => {
        const session = store.sessions.find(({ meta }) => meta.recording === recording);
        if (session?.notes.isUnread === true) void this.#note(session, false);
      }),
    );
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #update(): void {
    const ended = this.#store.sessions.filter(
      (session) => !isRunning(session) && this.#running.has(session.meta.id),
    );
    this.#running = new Set(this.#store.sessions.filter(isRunning).map(({ meta }) => meta.id));
    for (const session of ended) if (this.#isUnseen(session)) void this.#note(session, true);
  }

  #isUnseen(session: Session): boolean {
    if (session.meta.stoppedByUser === true || !belongsToWorkspace(session)) return false;
    // Only a window that shows the session decides, because others don't know where the user looks.
    const { shownIn = [] } = session.notes;
    if (shownIn.length > 0 && !isShownHere(session)) return false;
    return !this.#attention.hasFocus(session.meta.id);
  }

  async #note(session: Session, isUnread: boolean): Promise<void> {
    await changeSessionNotes(session.folder, { isUnread });
    await this.#store.refresh();
  }
}
