import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Concern } from '../../common/status/concernDetector.ts';
import type { AgentEvent } from '../../common/events/events.ts';
import { LiveSession } from '../../common/liveSession.ts';
import type { SessionChange } from '../../common/status/notice.ts';
import type { StatusView } from '../../common/status/status.ts';
import { NANOSECONDS_PER_MILLISECOND, type Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { SeenSet } from '../../common/events/seenSet.ts';
import { EVENTS_FILE } from '../../../sessions/node/eventsFile.ts';
import { wallNs } from '../../../platform/node/systemClock.ts';
import { LineTail } from '../../../platform/node/files/lineTail.ts';

/** Longest time until the next update, since the clock may be changed or the machine may sleep. */
const LONGEST_SLEEP_MS = 60_000;

/** The files of a session that are followed. */
export interface FollowedPlace {
  readonly id: string;
  readonly folder: string;
  /** The recording; its modification time shows the last output. */
  readonly recording: string;
}

/** A change of one of the followed sessions. */
export interface SessionNews extends SessionChange {
  readonly id: string;
}

/** Parses a line to an event, or returns a sentence that says what is wrong with the line. */
export type EventParser = (line: string) => AgentEvent | string;

/** Follows the events file of one running session and keeps its present state. */
export class FollowedSession implements Disposable {
  readonly live = new LiveSession();
  readonly #place: FollowedPlace;
  readonly #onNews: (news: SessionNews) => void;
  readonly #parse: EventParser;
  readonly #tail: LineTail;
  readonly #seen = new SeenSet();
  #status: StatusView;
  #events: AgentEvent[] = [];
  #concerns: Concern[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isUpdateQueued = false;
  /** Whether the existing events have been read: they cause no notifications. */
  #isCaughtUp = false;
  #isKnown = false;
  #isDisposed = false;

  /** @param timers schedule the polls of the events file */
  constructor(
    place: FollowedPlace,
    onNews: (news: SessionNews) => void,
    parse: EventParser,
    timers?: Timers,
  ) {
    this.#place = place;
    this.#onNews = onNews;
    this.#parse = parse;
    this.#status = this.live.status(wallNs());
    this.#tail = new LineTail(path.join(place.folder, EVENTS_FILE), {
      timers,
      onLine: (line) => this.#readLine(line),
    });
  }

  /** Resolves when the existing events have been read. */
  async start(): Promise<void> {
    await this.#tail.read();
    if (this.#isDisposed) return;
    this.#isCaughtUp = true;
    this.#concerns = [];
    await this.#update();
    if (!this.#isDisposed) this.#tail.start();
  }

  get status(): StatusView {
    return this.#status;
  }

  /** Whether any event was read: a program that is not an agent has none. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#tail.dispose();
  }

  #readLine(line: string): void {
    const event = line === '' ? '' : this.#parse(line);
    // Skips damaged lines, and repeated events when the file is read again from its start.
    if (typeof event === 'string' || !this.#seen.add(event.id)) return;
    this.#isKnown = true;
    const concerns = this.live.push(event);
    if (!this.#isCaughtUp) return;
    this.#events.push(event);
    this.#concerns.push(...concerns);
    if (this.#isUpdateQueued) return;
    this.#isUpdateQueued = true;
    // Combines all lines of a read into one update.
    setImmediate(() => {
      this.#isUpdateQueued = false;
      this.#publish();
    });
  }

  /**
   * Updates the status after time has passed, the only case in which the time of the last output
   * matters.
   */
  async #update(): Promise<void> {
    const printedMs = await stat(this.#place.recording).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (printedMs !== undefined) this.live.output(BigInt(Math.round(printedMs * 1000)) * 1000n);
    if (!this.#isDisposed) this.#publish();
  }

  #publish(): void {
    if (this.#isDisposed) return;
    const now = wallNs();
    const statusBefore = this.#status;
    this.#status = this.live.status(now);
    const events = this.#events.splice(0);
    const concerns = [...this.#concerns.splice(0), ...this.live.concerns(now)];
    this.#updateLater(now);
    const isSame =
      statusBefore.status === this.#status.status &&
      statusBefore.reason === this.#status.reason &&
      statusBefore.subject === this.#status.subject &&
      statusBefore.sinceNs === this.#status.sinceNs;
    if (isSame && events.length === 0 && concerns.length === 0) return;
    const { id } = this.#place;
    this.#onNews({ id, status: this.#status, statusBefore, events, concerns });
  }

  #updateLater(now: bigint): void {
    clearTimeout(this.#timer);
    const due = [this.#status.nextNs, this.live.nextConcernNs].filter((ns) => ns !== undefined);
    if (due.length === 0) return;
    const nextNs = due.reduce((a, b) => (a < b ? a : b));
    const ms = Number((nextNs - now) / NANOSECONDS_PER_MILLISECOND) + 1;
    const sleepMs = Math.min(Math.max(ms, 1), LONGEST_SLEEP_MS);
    this.#timer = setTimeout(() => void this.#update(), sleepMs).unref();
  }
}
