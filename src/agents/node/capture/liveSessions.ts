import type { LiveSession } from '../../common/liveSession.ts';
import type { StatusView } from '../../common/status.ts';
import type { Timers } from '../../../base/clock.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { parseEventLine } from '../../common/eventLine.ts';
import {
  FollowedSession,
  type EventParser,
  type FollowedPlace,
  type SessionNews,
} from './followedSession.ts';

/**
 * The sessions that run, as they are right now. Each session's events are read and understood once, however many ask:
 * list, status bar, terminals, badge and notifications all work with the same.
 */
export class LiveSessions implements Disposable {
  readonly #followed = new Map<string, FollowedSession>();
  readonly #parse: EventParser;
  readonly #timers: Timers | undefined;
  readonly #news = new Emitter<SessionNews>();
  readonly #changes = new Emitter<void>();

  readonly onNews = this.#news.event;
  /** Something may look different: {@link onNews}, or a session came, went, or was read for the first time. */
  readonly onDidChange = this.#changes.event;

  /**
   * @param parse understands a line; that of `eventLine.ts` unless told
   * @param timers wake the polls of the event files
   */
  constructor(parse: EventParser = parseEventLine, timers?: Timers) {
    this.#parse = parse;
    this.#timers = timers;
  }

  /** Follows exactly these from now on. */
  follow(places: readonly FollowedPlace[]): void {
    const wanted = new Set(places.map(({ id }) => id));
    let hasChanged = false;
    for (const [id, session] of this.#followed) {
      if (wanted.has(id)) continue;
      session.dispose();
      this.#followed.delete(id);
      hasChanged = true;
    }
    for (const place of places) {
      if (this.#followed.has(place.id)) continue;
      const tell = (news: SessionNews) => {
        this.#news.fire(news);
        this.#changes.fire();
      };
      const session = new FollowedSession(place, tell, this.#parse, this.#timers);
      this.#followed.set(place.id, session);
      void session.start().then(() => this.#changes.fire());
    }
    if (hasChanged) this.#changes.fire();
  }

  /** Nothing for a session that is not followed, or of which nothing is known. */
  status(id: string): StatusView | undefined {
    const session = this.#followed.get(id);
    return session?.isKnown ? session.status : undefined;
  }

  get(id: string): LiveSession | undefined {
    const session = this.#followed.get(id);
    return session?.isKnown ? session.live : undefined;
  }

  dispose(): void {
    for (const session of this.#followed.values()) session.dispose();
    this.#followed.clear();
    this.#news.dispose();
    this.#changes.dispose();
  }
}
