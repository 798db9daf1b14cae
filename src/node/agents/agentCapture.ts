import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentAdapter, AgentPlace, HookCall, LaunchAdditions } from '../../agents/adapter.ts';
import { EventMerger } from '../../agents/eventMerger.ts';
import type { AgentEvent } from '../../agents/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { SystemClock } from '../systemClock.ts';
import { TranscriptTail } from './transcriptTail.ts';
import { basesOf } from './codexBase.ts';
import { DatabaseTail } from './databaseTail.ts';
import {
  changedTranscripts,
  isAbout,
  transcriptOfSession,
  type FilesPlace,
} from './findTranscript.ts';
import { HookInbox } from './hookInbox.ts';
import { makePrivateFolder } from '../paths.ts';
import type { TranscriptKeeper } from './transcriptKeeper.ts';

const SEARCH_MS = 500;
/** Clocks of files are coarser than ours. */
const FILE_CLOCK_MS = 50;

export interface AgentCaptureOptions {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  /** A private folder of the session, for what the agent is given to read and what its hooks leave. */
  readonly folder: string;
  readonly clock: Pick<SystemClock, 'nowNs'>;
  readonly mayBypassTrust: boolean;
  /** The session that the agent is told to go on with. */
  readonly resumed?: string | undefined;
  /** Gets every line of the transcripts, to be kept. */
  readonly keeper?: TranscriptKeeper;
  /** Events after which the agent waits for {@link onEvents}, at most this long. */
  readonly waitMs: (hook: string) => number;
  /** Each fact once, in the order in which they become known. Nothing, when a hook tells what is known: the agent waits. */
  onEvents(events: readonly AgentEvent[]): void | Promise<void>;
  onTrouble(error: unknown): void;
}

/** Everything that can be known of one agent's session while it runs, from its hooks, its transcript and its title. */
export class AgentCapture implements Disposable {
  /** For the launch; their files are written. */
  readonly additions: LaunchAdditions;
  readonly #options: AgentCaptureOptions;
  readonly #merger = new EventMerger();
  readonly #inbox: HookInbox;
  readonly #tails = new Map<string, TranscriptTail | DatabaseTail>();
  readonly #sinceMs = Date.now() - FILE_CLOCK_MS;
  #search: NodeJS.Timeout | undefined;
  #title: string | undefined;
  #basesKept: Promise<void> = Promise.resolve();

  private constructor(options: AgentCaptureOptions, inbox: HookInbox, additions: LaunchAdditions) {
    this.#options = options;
    this.#inbox = inbox;
    this.additions = additions;
  }

  /** Before the launch: hooks of the agent find their way from its first moment. */
  static async open(options: AgentCaptureOptions): Promise<AgentCapture> {
    const { adapter, folder, clock, place, mayBypassTrust, waitMs } = options;
    makePrivateFolder(folder);
    const inbox = await HookInbox.open(path.join(folder, 'hooks'), {
      clock,
      onCall: (call): Promise<void> => capture.#hooked(call),
      onTrouble: (error) => options.onTrouble(error),
    });
    const additions = adapter.additions({
      ...{ folder, inbox: inbox.folder, env: place.env, mayBypassTrust },
      waitMs: waitMs('tool.execute.after'),
      relay: (event) => inbox.relay(event, waitMs(event)),
    });
    for (const file of additions.files) {
      await mkdir(path.dirname(file.path), { recursive: true });
      await writeFile(file.path, file.text, { mode: 0o600 });
    }
    const capture = new AgentCapture(options, inbox, additions);
    capture.#searchSoon();
    return capture;
  }

  /** The program set its terminal's title. */
  titleChanged(title: string): void {
    const status = this.#options.adapter.statusOfTitle(title);
    if (status === this.#title) return;
    // A title that says nothing ends what the one before said: the same again is news.
    this.#title = status;
    if (status === undefined) return;
    const { adapter, clock } = this.#options;
    const timeNs = clock.nowNs();
    void this.#take([
      {
        ...{ id: `${adapter.agent}/title/${timeNs}`, source: 'osc', confidence: 'medium' },
        ...{ agent: adapter.agent, timeNs, kind: 'status.changed', status },
        evidence: `The title says "${title}".`,
      },
    ]);
  }

  /** The program has ended: what it still left is read. */
  async finish(): Promise<void> {
    clearTimeout(this.#search);
    await this.#inbox.read();
    await this.#searchOnce();
    for (const tail of this.#tails.values()) await tail.finish();
    await this.#basesKept;
    this.dispose();
  }

  dispose(): void {
    clearTimeout(this.#search);
    this.#inbox.dispose();
    for (const tail of this.#tails.values()) tail.dispose();
  }

  async #hooked(call: HookCall): Promise<void> {
    const events = this.#options.adapter.hookEvents(call);
    for (const event of events) {
      if (event.kind === 'session.started' && event.transcript) this.#follow(event.transcript);
    }
    await this.#take(events, true);
  }

  async #take(events: readonly AgentEvent[], isHook = false): Promise<void> {
    const fresh = events.flatMap((event) => this.#merger.push(event));
    if (fresh.length > 0 || isHook) await this.#options.onEvents(fresh);
  }

  /** Until there is a transcript: then the agent itself says where the next one is, or stays with it. */
  #searchSoon(): void {
    this.#search = setTimeout(() => {
      void this.#searchOnce()
        .catch((error: unknown) => this.#options.onTrouble(error))
        .then(() => this.#tails.size === 0 && this.#searchSoon());
    }, SEARCH_MS).unref();
  }

  async #searchOnce(): Promise<void> {
    const { adapter, place } = this.#options;
    const where = adapter.transcripts(place);
    if (this.#tails.size > 0) return;
    if (where.kind === 'sqlite') return this.#followDatabase(where.file);
    const resumed = await this.#resumedTranscript(where);
    if (resumed !== undefined) return this.#follow(resumed);
    const changed = await changedTranscripts(where, this.#sinceMs);
    const candidates: typeof changed = [];
    for (const found of changed) {
      if (!where.isShared || (await isAbout(found.file, place.cwd))) candidates.push(found);
    }
    // A session that began with this program rather than one that somebody else goes on with.
    const born = candidates.find(({ bornMs }) => bornMs >= this.#sinceMs);
    const chosen = born ?? candidates[0];
    if (chosen && this.#tails.size === 0) this.#follow(chosen.file);
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
        void this.#take(parser.push(line, timeNs));
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

  #follow(file: string): void {
    if (this.#tails.has(file)) return;
    const { adapter, clock, keeper } = this.#options;
    let parser = adapter.createParser();
    const kept = keeper?.follow(file);
    let isFirst = keeper !== undefined;
    const tail = new TranscriptTail(file, {
      onLine: (line) => {
        if (isFirst) this.#basesKept = this.#keepBases(line);
        isFirst = false;
        kept?.add(line);
        void this.#take(parser.push(line, clock.nowNs()));
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
  }
}
