import type { LiveSession } from '../../common/liveSession.ts';
import type { StatusView } from '../../common/status/status.ts';
import type { Timers } from '../../../base/clock.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { parseEventLine } from '../../common/events/eventLine.ts';
import {
  FollowedSession,
  type EventParser,
  type FollowedPlace,
  type SessionNews,
} from './followedSession.ts';

/**
 * The present state of all running sessions. Each events file is read once; the list, the status
 * bar, terminals, the badge and notifications share the result.
 */
export class LiveSessions implements Disposable {
  readonly #followed = new Map<string, FollowedSession>();
  readonly #parse: EventParser;
  readonly #timers: Timers | undefined;
  readonly #news = new Emitter<SessionNews>();
  readonly #changes = new Emitter<void>();

  readonly onNews = this.#news.event;
  /** Fires for {@link onNews}, and when a session is added, removed or first read. */
  readonly onDidChange = this.#changes.event;

  /**
   * @param parse parses a line of an events file
   * @param timers schedule the polls of the events files
   */
  constructor(parse: EventParser = parseEventLine, timers?: Timers) {
    this.#parse = parse;
    this.#timers = timers;
  }

  /** Follows exactly these sessions, and stops following all others. */
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
      const publish = (news: SessionNews) => {
        this.#news.fire(news);
        this.#changes.fire();
      };
      const session = new FollowedSession(place, publish, this.#parse, this.#timers);
      this.#followed.set(place.id, session);
      void session.start().then(() => this.#changes.fire());
    }
    if (hasChanged) this.#changes.fire();
  }

  /** The status of a session; undefined when it is not followed or has no events. */
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
