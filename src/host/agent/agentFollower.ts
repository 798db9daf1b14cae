import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LaunchAdditions } from '../../agents/common/adapter.ts';
import { adapterOf } from '../../agents/adapters/adapters.ts';
import type { AgentEvent, ToolAction } from '../../agents/common/events.ts';
import { AgentCapture } from '../../agents/node/capture/agentCapture.ts';
import { TranscriptKeeper } from '../../agents/node/capture/transcriptKeeper.ts';
import { EventsFile } from '../../sessions/node/eventsFile.ts';
import type { LaunchSpec } from '../../sessions/node/launchSpec.ts';
import type { SystemClock } from '../../platform/node/systemClock.ts';
import type { ProgramExit } from '../../sessions/common/recorderProtocol.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { SnapshotRequest } from '../snapshots/snapshotTaker.ts';

/** The longest an agent is held up after a tool; a snapshot has a shorter budget of its own. */
const HOOK_WAIT_MS = 1000;
/** These leave the files as they are. */
const HARMLESS: ReadonlySet<ToolAction> = new Set(['read', 'search', 'web']);
const MAX_LABEL_LENGTH = 200;

export interface AgentFollowerParts {
  readonly clock: SystemClock;
  /** None: everything is written down as it is. */
  readonly redaction: Redaction | undefined;
  /** Count of output bytes so far. */
  byteOffset(): number;
  /** Keeps the files; the agent waits for it. */
  keepFiles(request: SnapshotRequest): Promise<unknown>;
  reportBug(error: unknown): void;
}

interface OwnFiles {
  readonly file: EventsFile;
  readonly keeper: TranscriptKeeper;
}

/** Follows what a known agent does: writes it down, and has the files kept where it matters. */
export class AgentFollower {
  readonly #parts: AgentFollowerParts;
  readonly #file: EventsFile;
  readonly #agent: string;
  readonly #capture: Promise<AgentCapture>;
  readonly #keeper: TranscriptKeeper;
  readonly #startedNs: bigint;
  /** Snapshots under way. */
  #keeping: Promise<unknown> = Promise.resolve();
  #isOver = false;
  #isOn = true;
  /** Of tools that run, by the id of their call. */
  readonly #running = new Map<string, { readonly title: string; readonly isHarmless: boolean }>();

  /** Nothing for a program that is no agent we know. Its hooks find their way from its first moment. */
  static async open(
    spec: LaunchSpec,
    parts: AgentFollowerParts,
  ): Promise<AgentFollower | undefined> {
    if (spec.agent === undefined || !adapterOf(spec.agent)) return undefined;
    const file = await EventsFile.open(spec.folder);
    const keeper = await TranscriptKeeper.open(spec.folder, {
      clock: parts.clock,
      safeLine: (line) => parts.redaction?.line(line) ?? line,
      onTrouble: (error) => parts.reportBug(error),
    });
    const follower = new AgentFollower(spec, spec.agent, { ...parts, file, keeper });
    await follower.#capture;
    return follower;
  }

  private constructor(
    { cmd, env, cwd, folder, allowsUnreviewedHooks }: LaunchSpec,
    agent: string,
    { file, keeper, ...parts }: AgentFollowerParts & OwnFiles,
  ) {
    this.#parts = parts;
    this.#file = file;
    this.#keeper = keeper;
    this.#agent = agent;
    this.#startedNs = parts.clock.nowNs();
    const adapter = adapterOf(agent)!;
    this.#capture = AgentCapture.open({
      ...{ adapter, resumed: adapter.commandLine.sessionOf(cmd.slice(1)) },
      place: { env, home: env['HOME'] ?? os.homedir(), cwd: realpathSync(cwd) },
      folder: path.join(folder, 'agent'),
      ...{ clock: parts.clock, keeper },
      mayBypassTrust: allowsUnreviewedHooks === true,
      waitMs: () => HOOK_WAIT_MS,
      onEvents: (events) => this.#take(events),
      onTrouble: (error) => parts.reportBug(error),
    });
  }

  /**
   * Whether what the agent does is written down from now on. What happens meanwhile is never told; of its transcript nothing
   * is kept any more at all.
   */
  async setCapture(isOn: boolean): Promise<void> {
    if (this.#isOn === isOn || this.#isOver) return;
    this.#isOn = isOn;
    if (isOn) return;
    this.#keeper.stop();
    this.#running.clear();
    const timeNs = this.#parts.clock.nowNs();
    await this.#write([
      {
        ...{ id: `host/capture/${timeNs}`, source: 'host', confidence: 'high' },
        ...{ agent: this.#agent, timeNs, kind: 'status.changed', status: 'unknown' },
        evidence: 'Capture was turned off.',
      },
    ]);
  }

  /** What the launch needs so that the agent tells us; nothing of the user's is changed for it. */
  async additions(): Promise<LaunchAdditions> {
    return (await this.#capture).additions;
  }

  /** The program set its terminal's title, which may say what it does. */
  async titleChanged(title: string): Promise<void> {
    (await this.#capture).titleChanged(title);
  }

  /** The program told its terminal what it does. */
  async stateTold(said: string): Promise<void> {
    (await this.#capture).stateTold(said);
  }

  /** A moment was recorded: what the agent has written down by now belongs to it. */
  momentRecorded(byte: number, timeNs: bigint): void {
    this.#keeper.mark(byte, timeNs);
  }

  /** The program has ended: what it still left is read, and nothing is written any more. */
  async finish({ exitCode, signal }: ProgramExit): Promise<void> {
    this.#isOver = true;
    await (await this.#capture).finish();
    const timeNs = this.#parts.clock.nowNs();
    await this.#write([
      {
        ...{ id: `host/exit/${timeNs}`, source: 'host', confidence: 'high', agent: this.#agent },
        ...{ timeNs, kind: 'session.exited', reason: signal > 0 ? `signal ${signal}` : 'exit' },
        exitCode,
      },
    ]);
    await this.#file.close();
    await this.#keeper.close();
  }

  async #take(events: readonly AgentEvent[]): Promise<void> {
    if (!this.#isOn) return;
    if (events.length > 0) await this.#write(events);
    // The last moment has been recorded.
    if (this.#isOver) return;
    const requests = events.flatMap((event) => this.#requestFor(event));
    // Nothing of this may keep the agent from its work: a failure is a moment that says so.
    const keeping = requests.map((request) => this.#parts.keepFiles(request).catch(() => {}));
    // What a hook tells may be known from the transcript already: the agent waits for its snapshot all the same.
    this.#keeping = Promise.all([this.#keeping, ...keeping]);
    await this.#keeping;
  }

  #write(events: readonly AgentEvent[]): Promise<void> {
    const { redaction } = this.#parts;
    const byte = this.#parts.byteOffset();
    const safe = redaction ? events.map((event) => redaction.event(event)) : events;
    return this.#file.append(safe.map((event) => ({ ...event, byte })));
  }

  /**
   * Whoever tells first: of an agent without hooks the transcript is the best there is, and a model takes longer to answer
   * than we take to read. What a transcript tells of before the program's start is past.
   */
  #isTimely({ source, timeNs }: AgentEvent): boolean {
    return source === 'hook' || (source === 'transcript' && timeNs >= this.#startedNs);
  }

  #requestFor(event: AgentEvent): SnapshotRequest[] {
    if (event.kind === 'tool.call') {
      const { callId, title, action } = event;
      this.#running.set(callId, { title, isHarmless: HARMLESS.has(action) });
      return [];
    }
    if (event.kind === 'tool.result') {
      const call = this.#running.get(event.callId);
      this.#running.delete(event.callId);
      if (!this.#isTimely(event) || event.outcome === 'denied' || call?.isHarmless) return [];
      return [asRequest(call?.title ?? event.tool)];
    }
    if (event.kind === 'user.prompt' && this.#isTimely(event))
      return [{ ...asRequest(`Prompt: ${event.text}`), isOnlyIfChanged: true }];
    return [];
  }
}

function asRequest(title: string): SnapshotRequest {
  const label = title.replace(/\s+/g, ' ').trim().slice(0, MAX_LABEL_LENGTH);
  return { label, kind: 'auto', trigger: 'tool' };
}
