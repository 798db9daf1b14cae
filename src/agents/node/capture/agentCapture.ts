import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentAdapter, AgentPlace, HookCall, LaunchAdditions } from '../../common/adapter.ts';
import { contentKey } from '../../common/events/contentKey.ts';
import { EventMerger } from '../../common/events/eventMerger.ts';
import type { AgentEvent, AgentStatus, Confidence } from '../../common/events/events.ts';
import { NANOSECONDS_PER_MILLISECOND, type Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { makePrivateFolder, socketPath } from '../../../platform/node/paths.ts';
import { backgroundTimers, type SystemClock } from '../../../platform/node/systemClock.ts';
import { FollowedTranscripts } from './followedTranscripts.ts';
import { HookInbox, type HookInboxOptions } from './hookInbox.ts';
import { HookSocket } from './hookSocket.ts';
import type { TranscriptCopier } from './transcriptCopier.ts';

/** Longest wait for the handlers of hook calls, which may take snapshots of large workspaces. */
const SETTLE_MS = 2000;

export interface AgentCaptureOptions {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  /** A private folder of the session for the agent's settings files and the pipes of its hooks. */
  readonly folder: string;
  readonly clock: Pick<SystemClock, 'nowNs'>;
  /**
   * For searching and polling transcripts, and for the time limit of {@link AgentCapture.catchUp}.
   */
  readonly timers?: Timers | undefined;
  readonly mayBypassTrust: boolean;
  /** The agent's ID of the session that the command line resumes. */
  readonly resumed?: string | undefined;
  /** Copies every line of the transcripts. */
  readonly copier?: TranscriptCopier;
  /** The longest time that the agent waits for {@link onEvents} after a hook. */
  readonly waitMs: (hook: string) => number;
  /**
   * Called with new events in the order of arrival; the list is empty for a hook that only repeats
   * known facts.
   */
  onEvents(events: readonly AgentEvent[]): void | Promise<void>;
  onError(error: unknown): void;
}

/** Captures the events of a running agent from its hooks, its transcripts and its terminal. */
export class AgentCapture implements Disposable {
  /** Additions to the launch; their files are already written. */
  readonly additions: LaunchAdditions;
  readonly #options: AgentCaptureOptions;
  readonly #merger = new EventMerger();
  /** Receivers of hook commands and of plugins. */
  readonly #receivers: readonly (HookInbox | HookSocket)[];
  readonly #transcripts: FollowedTranscripts;
  readonly #timers: Timers;
  readonly #startedNs: bigint;
  /** The time of the last event that a transcript has from before the launch. */
  #pastNs: bigint | undefined;
  /** The last status from a title or a reported state. */
  #reported: AgentStatus | undefined;
  #isRepeatDue = false;
  #reportsStates = false;
  /** Whether a hook was called; if so, hooks also report when the agent begins a new session. */
  #hasHookCalls = false;

  private constructor(
    options: AgentCaptureOptions,
    receivers: readonly (HookInbox | HookSocket)[],
    additions: LaunchAdditions,
  ) {
    this.#options = options;
    this.#receivers = receivers;
    this.additions = additions;
    const { adapter, place, clock, timers = backgroundTimers, resumed, copier } = options;
    this.#timers = timers;
    // Rounded down, since agents record whole milliseconds.
    this.#startedNs =
      (clock.nowNs() / NANOSECONDS_PER_MILLISECOND) * NANOSECONDS_PER_MILLISECOND - 1n;
    this.#transcripts = new FollowedTranscripts({
      adapter,
      place,
      clock,
      timers,
      resumed,
      ...(copier && { copier }),
      hasHooks: additions.files.length > 0,
      onEvents: (events) => {
        this.#notePast(events);
        void this.#merge(events);
      },
      onCaughtUp: (file) => this.#endPast(file),
      onError: (error) => options.onError(error),
    });
  }

  /** Opens the capture before the launch, so that the agent's first hooks are received. */
  static async open(options: AgentCaptureOptions): Promise<AgentCapture> {
    const { adapter, folder, clock, place, mayBypassTrust, waitMs } = options;
    makePrivateFolder(folder);
    const hooks: HookInboxOptions = {
      clock,
      onCall: (call): Promise<void> => capture.#hookCalled(call),
      onError: (error) => options.onError(error),
    };
    const inbox = await HookInbox.open(path.join(folder, 'hooks'), hooks);
    const socket = socketPath(folder, 'hooks.sock');
    const receivers = adapter.hasCodeHooks
      ? [inbox, await HookSocket.open(socket, hooks)]
      : [inbox];
    const additions = adapter.additions({
      folder,
      socket,
      env: place.env,
      mayBypassTrust,
      waitMs: waitMs('tool.execute.after'),
      relay: (event) => inbox.relay(event, waitMs(event)),
    });
    for (const file of additions.files) {
      await mkdir(path.dirname(file.path), { recursive: true });
      await writeFile(file.path, file.text, { mode: 0o600 });
    }
    const capture = new AgentCapture(options, receivers, additions);
    return capture;
  }

  /** Makes the next title or state count, even if it shows the same status as the last one. */
  repeatStatus(): void {
    this.#isRepeatDue = true;
  }

  /** The program set its terminal's title. */
  titleChanged(title: string): void {
    // Reported states replace titles, which blink and are up to a second late.
    if (this.#reportsStates) return;
    const status = this.#options.adapter.statusOfTitle(title);
    this.#statusReported(status, 'medium', `The title says "${title}".`);
  }

  /** The program sent a state by an escape sequence. */
  stateReported(state: string): void {
    const { adapter } = this.#options;
    if (!adapter.statusOfState) return;
    this.#reportsStates = true;
    const evidence = `The agent reports "${state}" to the terminal.`;
    this.#statusReported(adapter.statusOfState(state), 'high', evidence);
  }

  #statusReported(status: AgentStatus | undefined, confidence: Confidence, evidence: string): void {
    const before = this.#reported;
    const isRepeated = status === before;
    if (isRepeated && !this.#isRepeatDue) return;
    this.#isRepeatDue = false;
    // Also stores undefined, so that a status is reported again when it returns.
    this.#reported = status;
    if (status === undefined) return;
    const { agent, endsTurnsByTitle } = this.#options.adapter;
    const timeNs = this.#options.clock.nowNs();
    const id = `${agent}/title/${timeNs}`;
    const isAnswered = before === 'waiting_approval';
    if (status === 'running' && !isAnswered && !isRepeated && !this.#hasHookCalls)
      this.#transcripts.beganToWork(timeNs);
    const from = { source: 'osc', confidence, agent, timeNs } as const;
    const events: AgentEvent[] = [{ ...from, id, kind: 'status.changed', status, evidence }];
    if (status === 'waiting' && endsTurnsByTitle && !isRepeated) {
      const end = { kind: 'turn.completed', outcome: 'done' } as const;
      events.push({ ...from, id: `${agent}/ready/${timeNs}`, ...end });
    }
    void this.#merge(events);
  }

  /** Reads the hook calls and lines that have arrived. Slow handlers continue afterwards. */
  async catchUp(): Promise<void> {
    const settled = Promise.all(this.#receivers.map((receiver) => receiver.settle()));
    await new Promise<void>((resolve) => {
      const limit = this.#timers.schedule(SETTLE_MS, resolve);
      void settled.then(() => {
        limit.dispose();
        resolve();
      });
    });
    await this.#transcripts.catchUp();
  }

  /** Reads the remaining hook calls and lines after the program has ended. */
  async finish(): Promise<void> {
    for (const receiver of this.#receivers) await receiver.settle();
    await this.#transcripts.finish();
    this.dispose();
  }

  dispose(): void {
    for (const receiver of this.#receivers) receiver.dispose();
    this.#transcripts.dispose();
  }

  #notePast(events: readonly AgentEvent[]): void {
    for (const { timeNs } of events) {
      if (timeNs <= this.#startedNs && timeNs > (this.#pastNs ?? 0n)) this.#pastNs = timeNs;
    }
  }

  /**
   * Ends a turn from before the launch: a resumed transcript may end in the middle of a turn. The
   * time since its last event is not part of the turn.
   */
  #endPast(file: string): void {
    const { agent } = this.#options.adapter;
    const id = `${agent}/past/${contentKey(file)}`;
    const timeNs = this.#pastNs ?? this.#startedNs;
    const from = { source: 'host', confidence: 'high', agent, timeNs } as const;
    void this.#merge([{ ...from, id, kind: 'turn.completed', outcome: 'interrupted' }]);
  }

  async #hookCalled(call: HookCall): Promise<void> {
    this.#hasHookCalls = true;
    const events = this.#options.adapter.hookEvents(call);
    for (const event of events) {
      if (event.kind === 'session.started' && event.transcript) {
        this.#transcripts.follow(event.transcript);
      }
    }
    const session = events.find(({ agentSession }) => agentSession)?.agentSession;
    if (session) {
      const following = this.#transcripts.followSession(session);
      void following.catch((error: unknown) => this.#options.onError(error));
    }
    await this.#merge(events, true);
  }

  async #merge(events: readonly AgentEvent[], isHook = false): Promise<void> {
    const fresh = events.flatMap((event) => this.#merger.push(event));
    if (fresh.length > 0 || isHook) await this.#options.onEvents(fresh);
  }
}
