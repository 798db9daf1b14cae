import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import type { AgentEvent } from '../../common/events/events.ts';
import { NANOSECONDS_PER_MILLISECOND, type Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { backgroundTimers, type SystemClock } from '../../../platform/node/systemClock.ts';
import { baseTranscripts } from './codexForks.ts';
import { DatabaseTail } from './databaseTail.ts';
import {
  changedTranscripts,
  isAbout,
  transcriptOfSession,
  type FilesPlace,
} from './findTranscript.ts';
import { PromptSearch } from './promptSearch.ts';
import type { TranscriptCopier } from './transcriptCopier.ts';
import { LineTail } from '../../../platform/node/files/lineTail.ts';

const SEARCH_MS = 500;
/**
 * A search takes at most this fraction of the time (1/50), since there may be thousands of files.
 */
const SEARCH_SHARE = 50;
/** How long to wait for a hook with the session ID before guessing the transcript. */
const GUESS_AFTER_NS = 3000n * NANOSECONDS_PER_MILLISECOND;
/**
 * Delays between searches for the transcript of a hook's session; a later hook begins with the
 * first delay again.
 */
const LATER_MS: readonly number[] = [500, 1000, 2000, 4000];
/** Tolerance for file times, which are coarser than the clock. */
const FILE_CLOCK_MS = 50;

export interface FollowedTranscriptsOptions {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  readonly clock: Pick<SystemClock, 'nowNs'>;
  /** Schedules the searches and the polls. */
  readonly timers?: Timers | undefined;
  /** The agent's ID of the session that the command line resumes. */
  readonly resumed?: string | undefined;
  /** Copies every line of the transcripts. */
  readonly copier?: TranscriptCopier;
  /** Whether hooks are installed, which report the session ID. */
  readonly hasHooks: boolean;
  onEvents(events: readonly AgentEvent[]): void;
  /** Called when all lines that a transcript had when it was found have been read. */
  onCaughtUp(file: string): void;
  onError(error: unknown): void;
}

/** Finds the transcripts of a running agent and reads them as they grow. */
export class FollowedTranscripts implements Disposable {
  readonly #options: FollowedTranscriptsOptions;
  readonly #tails = new Map<string, LineTail | DatabaseTail>();
  /** The agent's IDs of sessions whose transcripts are followed. */
  readonly #sessions = new Set<string>();
  readonly #sinceMs = Date.now() - FILE_CLOCK_MS;
  readonly #prompts: PromptSearch;
  readonly #timers: Timers;
  readonly #startedNs: bigint;
  #search: Disposable | undefined;
  #later: Disposable | undefined;
  #isDisposed = false;
  #basesCopied: Promise<void> = Promise.resolve();

  constructor(options: FollowedTranscriptsOptions) {
    this.#options = options;
    const { adapter, place, clock, timers = backgroundTimers } = options;
    this.#timers = timers;
    this.#startedNs = clock.nowNs();
    this.#prompts = new PromptSearch({
      adapter,
      place,
      timers,
      isFollowed: (file) => this.#tails.has(file),
      onFound: (file) => this.follow(file),
      onError: (error) => options.onError(error),
    });
    this.#searchLater();
  }

  /** Reads the lines that the known transcripts have now. */
  async catchUp(): Promise<void> {
    for (const tail of this.#tails.values()) await tail.read();
  }

  /** Reads all remaining lines after the program has ended. */
  async finish(): Promise<void> {
    this.#search?.dispose();
    this.#later?.dispose();
    this.#prompts.dispose();
    await this.#searchOnce();
    for (const tail of this.#tails.values()) await tail.finish();
    await this.#basesCopied;
    this.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#search?.dispose();
    this.#later?.dispose();
    this.#prompts.dispose();
    for (const tail of this.#tails.values()) tail.dispose();
  }

  /**
   * Finds and follows the transcript of a hook's session, since most hooks give no path. A later
   * hook may give another session.
   */
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

  /**
   * Searches again later: the agent creates the file with the first message, and the next hook may
   * come much later.
   */
  #followLater(session: string, [waitMs, ...later]: readonly number[]): void {
    this.#sessions.delete(session);
    this.#later?.dispose();
    if (waitMs === undefined) return;
    this.#later = this.#timers.schedule(waitMs, () => {
      const following = this.followSession(session, later);
      void following.catch((error: unknown) => this.#options.onError(error));
    });
  }

  /** Called when the title shows that the agent began to work and no hook reports the session. */
  beganToWork(timeNs: bigint): void {
    // While no transcript is followed, the search for the first one is already running.
    if (this.#tails.size > 0) this.#prompts.beganToWork(timeNs);
  }

  follow(file: string): void {
    if (this.#tails.has(file)) return;
    const { adapter, clock, copier } = this.#options;
    let parser = adapter.createParser();
    const copy = copier?.follow(file);
    let isFirst = copier !== undefined;
    const tail = new LineTail(file, {
      timers: this.#timers,
      onLine: (line) => {
        if (isFirst && copier) this.#basesCopied = this.#copyBases(copier, line);
        isFirst = false;
        copy?.add(line);
        const events = parser.push(line, clock.nowNs());
        this.#prompts.observe(events);
        this.#options.onEvents(events);
      },
      // The lines come again from the first, so the parser starts over.
      onRestart: () => {
        copy?.restart();
        parser = adapter.createParser();
      },
      onError: (error) => this.#options.onError(error),
    });
    this.#tails.set(file, tail);
    tail.start();
    void tail.read().then(() => this.#options.onCaughtUp(file));
  }

  /**
   * Searches until the first transcript is found. Later transcripts are found by hooks or prompts.
   */
  #searchLater(waitMs = SEARCH_MS): void {
    if (this.#isDisposed) return;
    this.#search = this.#timers.schedule(waitMs, () => {
      const start = performance.now();
      const sinceStartNs = this.#options.clock.nowNs() - this.#startedNs;
      const mayGuess = !this.#options.hasHooks || sinceStartNs > GUESS_AFTER_NS;
      void this.#searchOnce(mayGuess)
        .catch((error: unknown) => this.#options.onError(error))
        .then(() => {
          const tookMs = performance.now() - start;
          if (this.#tails.size === 0) this.#searchLater(Math.max(SEARCH_MS, tookMs * SEARCH_SHARE));
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
    // Without a session ID, the newest file may belong to another agent in this folder.
    if (!mayGuess) return;
    const changed = await changedTranscripts(where, this.#sinceMs);
    const candidates: typeof changed = [];
    for (const found of changed) {
      if (!where.isShared || (await isAbout(found.file, place.cwd))) candidates.push(found);
    }
    // Prefers a file created since the launch to an older one, which another agent may be
    // continuing.
    const born = candidates.find(({ bornMs }) => bornMs >= this.#sinceMs);
    const chosen = born ?? candidates[0];
    if (chosen && this.#tails.size === 0) this.follow(chosen.file);
  }

  /**
   * The transcript of the resumed session. It is preferred to newer files, since an agent that
   * resumes a session may also create a file that it does not use.
   */
  async #resumedTranscript(where: FilesPlace): Promise<string | undefined> {
    const { adapter, resumed } = this.#options;
    return resumed === undefined ? undefined : transcriptOfSession(adapter, where, resumed);
  }

  #followDatabase(file: string): void {
    const { adapter, place, copier } = this.#options;
    const parser = adapter.createParser();
    const copy = copier?.follow(file);
    const tail = new DatabaseTail(file, {
      directory: place.cwd,
      sinceMs: this.#sinceMs,
      onOlderRow: (line) => copy?.add(line),
      onRow: (line, timeNs) => {
        copy?.add(line);
        this.#options.onEvents(parser.push(line, timeNs));
      },
      onError: (error) => this.#options.onError(error),
    });
    this.#tails.set(file, tail);
    tail.start();
  }

  /**
   * Copies the transcripts of a fork's parents: the fork's file has only its own lines, and the
   * agent may delete the files of the parents.
   */
  async #copyBases(copier: TranscriptCopier, head: string): Promise<void> {
    const { adapter, place } = this.#options;
    try {
      for (const { source, lines } of await baseTranscripts(adapter, place, head)) {
        const copy = copier.follow(source, true);
        for (const line of lines) copy.add(line);
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
