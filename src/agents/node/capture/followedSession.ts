import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Concern } from '../../common/detectors.ts';
import type { AgentEvent } from '../../common/events.ts';
import { LiveSession } from '../../common/liveSession.ts';
import type { StatusView } from '../../common/status.ts';
import type { Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { SeenSet } from '../../common/seenSet.ts';
import { EVENTS_FILE } from '../../../sessions/node/eventsFile.ts';
import { TranscriptTail } from './transcriptTail.ts';

/** A timer that sleeps longer is woken in between: clocks are set, and machines go to sleep. */
const LONGEST_SLEEP_MS = 60_000;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** What is followed of a session. */
export interface FollowedPlace {
  readonly id: string;
  readonly folder: string;
  /** Its file shows when the program last printed something. */
  readonly recording: string;
}

/** Something happened, or time alone changed what is to be thought of the session. */
export interface SessionNews {
  readonly id: string;
  readonly status: StatusView;
  readonly statusBefore: StatusView;
  /** What was told since the last news; empty when only time has passed. */
  readonly events: readonly AgentEvent[];
  readonly concerns: readonly Concern[];
}

/** An event, or a sentence on why the line is none. */
export type EventParser = (line: string) => AgentEvent | string;

/** One running session: its events are read once, as they are written, and kept as what they mean right now. */
export class FollowedSession implements Disposable {
  readonly live = new LiveSession();
  readonly #place: FollowedPlace;
  readonly #onNews: (news: SessionNews) => void;
  readonly #parse: EventParser;
  readonly #tail: TranscriptTail;
  readonly #seen = new SeenSet();
  #status: StatusView;
  #events: AgentEvent[] = [];
  #concerns: Concern[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isTellingSoon = false;
  /** What was in the file when we came is history: nobody is told of it. */
  #isCaughtUp = false;
  #isKnown = false;
  #isDisposed = false;

  /** @param timers wake the polls of the events file */
  constructor(
    place: FollowedPlace,
    onNews: (news: SessionNews) => void,
    parse: EventParser,
    timers?: Timers,
  ) {
    this.#place = place;
    this.#onNews = onNews;
    this.#parse = parse;
    this.#status = this.live.status(nowNs());
    this.#tail = new TranscriptTail(path.join(place.folder, EVENTS_FILE), {
      timers,
      onLine: (line) => this.#take(line),
    });
  }

  /** Resolves when what is there has been read. */
  async start(): Promise<void> {
    await this.#tail.read();
    if (this.#isDisposed) return;
    this.#isCaughtUp = true;
    this.#concerns = [];
    await this.#look();
    if (!this.#isDisposed) this.#tail.start();
  }

  get status(): StatusView {
    return this.#status;
  }

  /** Whether anything is known of it: a program that is no agent never tells anything. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#tail.dispose();
  }

  #take(line: string): void {
    const event = line === '' ? '' : this.#parse(line);
    // A damaged line tells nothing; the file may be read anew from its start, and nothing happens twice.
    if (typeof event === 'string' || !this.#seen.add(event.id)) return;
    this.#isKnown = true;
    const concerns = this.live.push(event);
    if (!this.#isCaughtUp) return;
    this.#events.push(event);
    this.#concerns.push(...concerns);
    if (this.#isTellingSoon) return;
    this.#isTellingSoon = true;
    // One piece of news for all lines of a read.
    setImmediate(() => {
      this.#isTellingSoon = false;
      this.#tell();
    });
  }

  /** Time has passed: output is asked for only now, when it can make a difference. */
  async #look(): Promise<void> {
    const printedMs = await stat(this.#place.recording).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (printedMs !== undefined) this.live.output(BigInt(Math.round(printedMs * 1000)) * 1000n);
    if (!this.#isDisposed) this.#tell();
  }

  #tell(): void {
    if (this.#isDisposed) return;
    const now = nowNs();
    const statusBefore = this.#status;
    this.#status = this.live.status(now);
    const events = this.#events.splice(0);
    const concerns = [...this.#concerns.splice(0), ...this.live.concerns(now)];
    this.#lookLater(now);
    const isSame =
      statusBefore.status === this.#status.status &&
      statusBefore.evidence === this.#status.evidence &&
      statusBefore.sinceNs === this.#status.sinceNs;
    if (isSame && events.length === 0 && concerns.length === 0) return;
    const { id } = this.#place;
    this.#onNews({ id, status: this.#status, statusBefore, events, concerns });
  }

  #lookLater(now: bigint): void {
    clearTimeout(this.#timer);
    const due = [this.#status.nextNs, this.live.nextConcernNs].filter((ns) => ns !== undefined);
    if (due.length === 0) return;
    const nextNs = due.reduce((a, b) => (a < b ? a : b));
    const ms = Number((nextNs - now) / NANOSECONDS_PER_MILLISECOND) + 1;
    const sleepMs = Math.min(Math.max(ms, 1), LONGEST_SLEEP_MS);
    this.#timer = setTimeout(() => void this.#look(), sleepMs).unref();
  }
}

export function nowNs(): bigint {
  return BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND;
}
