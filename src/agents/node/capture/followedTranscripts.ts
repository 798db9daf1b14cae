import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import type { AgentEvent } from '../../common/events.ts';
import { NANOSECONDS_PER_MILLISECOND, type Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { backgroundTimers, type SystemClock } from '../../../platform/node/systemClock.ts';
import { basesOf } from './codexBase.ts';
import { DatabaseTail } from './databaseTail.ts';
import {
  changedTranscripts,
  isAbout,
  transcriptOfSession,
  type FilesPlace,
} from './findTranscript.ts';
import { PromptSearch } from './promptSearch.ts';
import type { TranscriptKeeper } from './transcriptKeeper.ts';
import { TranscriptTail } from './transcriptTail.ts';

const SEARCH_MS = 500;
/** Whoever has thousands of sessions pays for a search: it takes one part of this many of the time. */
const SEARCH_SHARE = 50;
/** An agent whose hooks say which session it is in has this long to do so before it is guessed. */
const GUESS_AFTER_NS = 3000n * NANOSECONDS_PER_MILLISECOND;
/** Waits before a session is asked for again that a hook tells of and that has no transcript yet; then the next hook does. */
const LATER_MS: readonly number[] = [500, 1000, 2000, 4000];
/** Clocks of files are coarser than ours. */
const FILE_CLOCK_MS = 50;

export interface FollowedTranscriptsOptions {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  readonly clock: Pick<SystemClock, 'nowNs'>;
  /** Wake the searches and the polls. */
  readonly timers?: Timers | undefined;
  /** The session that the agent is told to go on with. */
  readonly resumed?: string | undefined;
  /** Gets every line, to be kept. */
  readonly keeper?: TranscriptKeeper;
  /** The agent's hooks are going to say which session it is. */
  readonly isTold: boolean;
  onEvents(events: readonly AgentEvent[]): void;
  /** All that was in a transcript when it was found has been told. */
  onCaughtUp(file: string): void;
  onTrouble(error: unknown): void;
}

/** What one agent writes down of its sessions while it runs: found, and read as it grows. */
export class FollowedTranscripts implements Disposable {
  readonly #options: FollowedTranscriptsOptions;
  readonly #tails = new Map<string, TranscriptTail | DatabaseTail>();
  /** The agent's own names of sessions whose transcripts are followed. */
  readonly #sessions = new Set<string>();
  readonly #sinceMs = Date.now() - FILE_CLOCK_MS;
  readonly #prompts: PromptSearch;
  readonly #timers: Timers;
  readonly #startedNs: bigint;
  #search: Disposable | undefined;
  #later: Disposable | undefined;
  #isDisposed = false;
  #basesKept: Promise<void> = Promise.resolve();

  constructor(options: FollowedTranscriptsOptions) {
    this.#options = options;
    const { adapter, place, clock, timers = backgroundTimers } = options;
    this.#timers = timers;
    this.#startedNs = clock.nowNs();
    this.#prompts = new PromptSearch({
      ...{ adapter, place, timers },
      isFollowed: (file) => this.#tails.has(file),
      onFound: (file) => this.follow(file),
      onTrouble: (error) => options.onTrouble(error),
    });
    this.#searchSoon();
  }

  /** The program has ended: what it still left is read. */
  async finish(): Promise<void> {
    this.#search?.dispose();
    this.#later?.dispose();
    this.#prompts.dispose();
    await this.#searchOnce();
    for (const tail of this.#tails.values()) await tail.finish();
    await this.#basesKept;
    this.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#search?.dispose();
    this.#later?.dispose();
    this.#prompts.dispose();
    for (const tail of this.#tails.values()) tail.dispose();
  }

  /** Most hooks do not say where the transcript is, but of which session: it may be another by now. */
  async followSession(session: string, waitsMs = LATER_MS): Promise<void> {
    const { adapter, place } = this.#options;
    const where = adapter.transcripts(place);
    if (where.kind !== 'files' || this.#sessions.has(session)) return;
    this.#sessions.add(session);
    const files = [...this.#tails.keys()];
    if (files.some((file) => adapter.sessionOfPath(file) === session)) return;
    const file = await transcriptOfSession(adapter, where, session);
    if (file !== undefined) this.follow(file);
    else this.#followLater(session, waitsMs);
  }

  /** It is not there before the first words, which may be the last that a hook tells of for long. */
  #followLater(session: string, [waitMs, ...later]: readonly number[]): void {
    this.#sessions.delete(session);
    this.#later?.dispose();
    if (waitMs === undefined) return;
    this.#later = this.#timers.schedule(waitMs, () => {
      const following = this.followSession(session, later);
      void following.catch((error: unknown) => this.#options.onTrouble(error));
    });
  }

  /** The agent says that it has begun to work, and no hook in which session. */
  beganToWork(timeNs: bigint): void {
    // Before the first transcript, whatever there is is searched for.
    if (this.#tails.size > 0) this.#prompts.beganToWork(timeNs);
  }

  follow(file: string): void {
    if (this.#tails.has(file)) return;
    const { adapter, clock, keeper } = this.#options;
    let parser = adapter.createParser();
    const kept = keeper?.follow(file);
    let isFirst = keeper !== undefined;
    const tail = new TranscriptTail(file, {
      timers: this.#timers,
      onLine: (line) => {
        if (isFirst) this.#basesKept = this.#keepBases(line);
        isFirst = false;
        kept?.add(line);
        const events = parser.push(line, clock.nowNs());
        this.#prompts.told(events);
        this.#options.onEvents(events);
      },
      // The lines come again from the first: so does what the parser makes of them.
      onRestart: () => {
        kept?.restart();
        parser = adapter.createParser();
      },
      onTrouble: (error) => this.#options.onTrouble(error),
    });
    this.#tails.set(file, tail);
    tail.start();
    void tail.read().then(() => this.#options.onCaughtUp(file));
  }

  /** Until there is a transcript: then the agent itself says where the next one is, or its prompt does. */
  #searchSoon(waitMs = SEARCH_MS): void {
    if (this.#isDisposed) return;
    this.#search = this.#timers.schedule(waitMs, () => {
      const start = performance.now();
      const sinceStartNs = this.#options.clock.nowNs() - this.#startedNs;
      const mayGuess = !this.#options.isTold || sinceStartNs > GUESS_AFTER_NS;
      void this.#searchOnce(mayGuess)
        .catch((error: unknown) => this.#options.onTrouble(error))
        .then(() => {
          const tookMs = performance.now() - start;
          if (this.#tails.size === 0) this.#searchSoon(Math.max(SEARCH_MS, tookMs * SEARCH_SHARE));
        });
    });
  }

  async #searchOnce(mayGuess = true): Promise<void> {
    const { adapter, place } = this.#options;
    const where = adapter.transcripts(place);
    if (this.#tails.size > 0) return;
    if (where.kind === 'sqlite') return this.#followDatabase(where.file);
    const resumed = await this.#resumedTranscript(where);
    if (resumed !== undefined) return this.follow(resumed);
    // Another one of the same agent may work in the same folder.
    if (!mayGuess) return;
    const changed = await changedTranscripts(where, this.#sinceMs);
    const candidates: typeof changed = [];
    for (const found of changed) {
      if (!where.isShared || (await isAbout(found.file, place.cwd))) candidates.push(found);
    }
    // A session that began with this program rather than one that somebody else goes on with.
    const born = candidates.find(({ bornMs }) => bornMs >= this.#sinceMs);
    const chosen = born ?? candidates[0];
    if (chosen && this.#tails.size === 0) this.follow(chosen.file);
  }

  /** An agent may begin a file for nothing beside the one that it goes on with. */
  async #resumedTranscript(where: FilesPlace): Promise<string | undefined> {
    const { adapter, resumed } = this.#options;
    return resumed === undefined ? undefined : transcriptOfSession(adapter, where, resumed);
  }

  #followDatabase(file: string): void {
    const { adapter, place, keeper } = this.#options;
    const parser = adapter.createParser();
    const kept = keeper?.follow(file);
    const tail = new DatabaseTail(file, {
      ...{ directory: place.cwd, sinceMs: this.#sinceMs },
      onOlderRow: (line) => kept?.add(line),
      onRow: (line, timeNs) => {
        kept?.add(line);
        this.#options.onEvents(parser.push(line, timeNs));
      },
      onTrouble: (error) => this.#options.onTrouble(error),
    });
    this.#tails.set(file, tail);
    tail.start();
  }

  /** A fork has only what is its own: the rest is in the files of others, which may go. */
  async #keepBases(head: string): Promise<void> {
    const { adapter, place, keeper } = this.#options;
    try {
      for (const { source, lines } of await basesOf(adapter, place, head)) {
        const kept = keeper!.follow(source, true);
        for (const line of lines) kept.add(line);
      }
    } catch (error) {
      this.#options.onTrouble(error);
    }
  }
}
