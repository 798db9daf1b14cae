import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentAdapter, AgentPlace, HookCall, LaunchAdditions } from '../../common/adapter.ts';
import { contentKey } from '../../common/contentKey.ts';
import { EventMerger } from '../../common/eventMerger.ts';
import type { AgentEvent, AgentStatus, Confidence } from '../../common/events.ts';
import { NANOSECONDS_PER_MILLISECOND, type Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { makePrivateFolder, socketPath } from '../../../platform/node/paths.ts';
import type { SystemClock } from '../../../platform/node/systemClock.ts';
import { FollowedTranscripts } from './followedTranscripts.ts';
import { HookInbox, type HookInboxOptions } from './hookInbox.ts';
import { HookSocket } from './hookSocket.ts';
import type { TranscriptKeeper } from './transcriptKeeper.ts';

export interface AgentCaptureOptions {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  /** A private folder of the session, for what the agent is given to read and the pipes of its hooks. */
  readonly folder: string;
  readonly clock: Pick<SystemClock, 'nowNs'>;
  /** Wake the searches for transcripts and the polls of those found. */
  readonly timers?: Timers | undefined;
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

/** Everything that can be known of one agent's session while it runs, from its hooks, its transcript and its terminal. */
export class AgentCapture implements Disposable {
  /** For the launch; their files are written. */
  readonly additions: LaunchAdditions;
  readonly #options: AgentCaptureOptions;
  readonly #merger = new EventMerger();
  /** Where hooks of either kind come in. */
  readonly #doors: readonly (HookInbox | HookSocket)[];
  readonly #transcripts: FollowedTranscripts;
  readonly #startedNs: bigint;
  /** The last that a title or a told state said. */
  #said: AgentStatus | undefined;
  #tellsStates = false;
  /** Its hooks run: they say which session it is in. */
  #isHooked = false;

  private constructor(
    options: AgentCaptureOptions,
    doors: readonly (HookInbox | HookSocket)[],
    additions: LaunchAdditions,
  ) {
    this.#options = options;
    this.#doors = doors;
    this.additions = additions;
    const { adapter, place, clock, timers, resumed, keeper } = options;
    // Agents note whole milliseconds: what they note within this one is not past.
    this.#startedNs =
      (clock.nowNs() / NANOSECONDS_PER_MILLISECOND) * NANOSECONDS_PER_MILLISECOND - 1n;
    this.#transcripts = new FollowedTranscripts({
      ...{ adapter, place, clock, timers, resumed, ...(keeper && { keeper }) },
      isTold: additions.files.length > 0,
      onEvents: (events) => void this.#take(events),
      onCaughtUp: (file) => this.#endPast(file),
      onTrouble: (error) => options.onTrouble(error),
    });
  }

  /** Before the launch: hooks of the agent find their way from its first moment. */
  static async open(options: AgentCaptureOptions): Promise<AgentCapture> {
    const { adapter, folder, clock, place, mayBypassTrust, waitMs } = options;
    makePrivateFolder(folder);
    const hooks: HookInboxOptions = {
      clock,
      onCall: (call): Promise<void> => capture.#hooked(call),
      onTrouble: (error) => options.onTrouble(error),
    };
    const inbox = await HookInbox.open(path.join(folder, 'hooks'), hooks);
    const socket = socketPath(folder, 'hooks.sock');
    const doors = adapter.hasCodeHooks ? [inbox, await HookSocket.open(socket, hooks)] : [inbox];
    const additions = adapter.additions({
      ...{ folder, socket, env: place.env, mayBypassTrust },
      waitMs: waitMs('tool.execute.after'),
      relay: (event) => inbox.relay(event, waitMs(event)),
    });
    for (const file of additions.files) {
      await mkdir(path.dirname(file.path), { recursive: true });
      await writeFile(file.path, file.text, { mode: 0o600 });
    }
    const capture = new AgentCapture(options, doors, additions);
    return capture;
  }

  /** The program set its terminal's title. */
  titleChanged(title: string): void {
    // A title is behind by up to a second, and blinks.
    if (this.#tellsStates) return;
    const status = this.#options.adapter.statusOfTitle(title);
    this.#tell(status, 'medium', `The title says "${title}".`);
  }

  /** The program told its terminal what it does. */
  stateTold(said: string): void {
    const { adapter } = this.#options;
    if (!adapter.statusOfState) return;
    this.#tellsStates = true;
    this.#tell(adapter.statusOfState(said), 'high', `It tells the terminal "${said}".`);
  }

  #tell(status: AgentStatus | undefined, confidence: Confidence, evidence: string): void {
    const before = this.#said;
    if (status === before) return;
    // One that says nothing ends what the one before said: the same again is news.
    this.#said = status;
    if (status === undefined) return;
    const { agent, endsTurnsByTitle } = this.#options.adapter;
    const timeNs = this.#options.clock.nowNs();
    const id = `${agent}/title/${timeNs}`;
    const isAnswered = before === 'waiting_approval';
    if (status === 'running' && !isAnswered && !this.#isHooked)
      this.#transcripts.beganToWork(timeNs);
    const from = { source: 'osc', confidence, agent, timeNs } as const;
    const events: AgentEvent[] = [{ ...from, id, kind: 'status.changed', status, evidence }];
    if (status === 'waiting' && endsTurnsByTitle) {
      const end = { kind: 'turn.completed', outcome: 'done' } as const;
      events.push({ ...from, id: `${agent}/ready/${timeNs}`, ...end });
    }
    void this.#take(events);
  }

  /** The program has ended: what it still left is read. */
  async finish(): Promise<void> {
    for (const door of this.#doors) await door.settle();
    await this.#transcripts.finish();
    this.dispose();
  }

  dispose(): void {
    for (const door of this.#doors) door.dispose();
    this.#transcripts.dispose();
  }

  /** A session that goes on may have been cut in the middle of a turn: what began before the program is not under way. */
  #endPast(file: string): void {
    const { agent } = this.#options.adapter;
    const id = `${agent}/past/${contentKey(file)}`;
    const from = { source: 'host', confidence: 'high', agent, timeNs: this.#startedNs } as const;
    void this.#take([{ ...from, id, kind: 'turn.completed', outcome: 'interrupted' }]);
  }

  async #hooked(call: HookCall): Promise<void> {
    this.#isHooked = true;
    const events = this.#options.adapter.hookEvents(call);
    for (const event of events) {
      if (event.kind === 'session.started' && event.transcript) {
        this.#transcripts.follow(event.transcript);
      }
    }
    const session = events.find(({ agentSession }) => agentSession)?.agentSession;
    if (session) {
      const following = this.#transcripts.followSession(session);
      void following.catch((error: unknown) => this.#options.onTrouble(error));
    }
    await this.#take(events, true);
  }

  async #take(events: readonly AgentEvent[], isHook = false): Promise<void> {
    const fresh = events.flatMap((event) => this.#merger.push(event));
    if (fresh.length > 0 || isHook) await this.#options.onEvents(fresh);
  }
}
