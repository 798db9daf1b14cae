import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentArguments } from '../../agents/common/agentCommand.ts';
import type { AgentAdapter, LaunchAdditions } from '../../agents/common/adapter.ts';
import { adapterOf } from '../../agents/adapters/adapters.ts';
import type { AgentEvent, AgentStatus, ToolAction } from '../../agents/common/events/events.ts';
import { AgentCapture } from '../../agents/node/capture/agentCapture.ts';
import { TranscriptCopier } from '../../agents/node/capture/transcriptCopier.ts';
import { EventsFile } from '../../sessions/node/eventsFile.ts';
import type { LaunchSpec } from '../../sessions/node/launchSpec.ts';
import type { SystemClock } from '../../platform/node/systemClock.ts';
import type { ProgramExit } from '../../sessions/common/recorderProtocol.ts';
import type { Redaction } from '../redaction/redaction.ts';
import { snapshotLabel } from '../../snapshots/common/snapshotLabel.ts';
import type { SnapshotRequest } from '../../snapshots/node/take/snapshotTaker.ts';
import { CaptureGaps } from './captureGaps.ts';

/** Longest time that a hook makes the agent wait. Snapshots have their own, shorter limit. */
const HOOK_WAIT_MS = 1000;
/** Tool calls that change no files. */
const READ_ONLY: ReadonlySet<ToolAction> = new Set(['read', 'search', 'web']);

export interface AgentFollowerParts {
  readonly clock: SystemClock;
  readonly redaction: Redaction;
  /** Number of output bytes so far. */
  byteOffset(): number;
  /** Takes a snapshot while the agent waits. */
  takeSnapshot(request: SnapshotRequest): Promise<unknown>;
  reportBug(error: unknown): void;
}

interface OwnFiles {
  readonly file: EventsFile;
  readonly copier: TranscriptCopier;
}

/**
 * Writes the events of a known agent to `session.events.jsonl` and takes snapshots at its prompts
 * and tool calls.
 */
export class AgentFollower {
  readonly #parts: AgentFollowerParts;
  readonly #file: EventsFile;
  readonly #agent: string;
  readonly #capture: Promise<AgentCapture>;
  readonly #copier: TranscriptCopier;
  readonly #startedNs: bigint;
  /** The agent's working folder, as given and with symbolic links resolved. */
  readonly #folders: readonly string[];
  /** Settles when all snapshots requested so far are taken. */
  #snapshots: Promise<unknown> = Promise.resolve();
  #isOver = false;
  readonly #gaps: CaptureGaps;
  /** Tool calls without a result yet, by call ID. */
  readonly #running = new Map<string, { readonly title: string; readonly isReadOnly: boolean }>();

  /**
   * Opens the pipes for the agent's hooks, before the agent starts. Returns undefined if the
   * program is not a known agent.
   */
  static async open(
    spec: LaunchSpec,
    parts: AgentFollowerParts,
  ): Promise<AgentFollower | undefined> {
    const adapter = spec.agent === undefined ? undefined : adapterOf(spec.agent);
    if (!adapter) return undefined;
    const file = await EventsFile.open(spec.folder);
    const copier = await TranscriptCopier.open(spec.folder, {
      clock: parts.clock,
      safeLine: (line) => parts.redaction.line(line),
      onError: (error) => parts.reportBug(error),
    });
    const follower = new AgentFollower(spec, adapter, { ...parts, file, copier });
    await follower.#capture;
    return follower;
  }

  private constructor(
    { cmd, env, cwd, folder, allowsUnreviewedHooks }: LaunchSpec,
    adapter: AgentAdapter,
    { file, copier, ...parts }: AgentFollowerParts & OwnFiles,
  ) {
    this.#parts = parts;
    this.#file = file;
    this.#copier = copier;
    this.#agent = adapter.agent;
    this.#gaps = new CaptureGaps(parts.clock);
    this.#startedNs = parts.clock.nowNs();
    this.#folders = [cwd, realpathSync(cwd)];
    this.#capture = AgentCapture.open({
      adapter,
      resumed: adapter.commandLine.sessionOf(agentArguments(cmd)),
      place: { env, home: env['HOME'] ?? os.homedir(), cwd: realpathSync(cwd) },
      folder: path.join(folder, 'agent'),
      clock: parts.clock,
      copier,
      mayBypassTrust: allowsUnreviewedHooks === true,
      waitMs: () => HOOK_WAIT_MS,
      onEvents: (events) => this.#take(events),
      onError: (error) => parts.reportBug(error),
    });
  }

  /**
   * Pauses or resumes the recording of events. Events that happen during a pause are lost, even if
   * the agent writes them later. The first pause ends the copying of the agent's transcript for
   * good.
   */
  async setCapture(isOn: boolean): Promise<void> {
    if (this.#gaps.isOpen !== isOn || this.#isOver) return;
    const capture = await this.#capture;
    if (isOn) {
      // Read them before the gap ends: a record without a time of its own gets the time of reading.
      await capture.catchUp();
      this.#gaps.end();
      capture.repeatStatus();
      return;
    }
    this.#gaps.begin();
    this.#copier.stop();
    await capture.catchUp();
    this.#gaps.seal();
    this.#running.clear();
    if (this.#isOver) return;
    const timeNs = this.#parts.clock.nowNs();
    await this.#write([this.#statusChanged('unknown', timeNs, 'Capture was turned off.')]);
  }

  /** Arguments and variables that make the agent report events; no user settings change. */
  async additions(): Promise<LaunchAdditions> {
    return (await this.#capture).additions;
  }

  /** Call when the program sets the title of its terminal, which may show its status. */
  async titleChanged(title: string): Promise<void> {
    (await this.#capture).titleChanged(title);
  }

  /** Call when the program reports its state to the terminal. */
  async stateReported(state: string): Promise<void> {
    (await this.#capture).stateReported(state);
  }

  /**
   * Call after a moment was recorded: notes how many lines of the agent's transcript existed then.
   */
  momentRecorded(byte: number, timeNs: bigint): void {
    this.#copier.mark(byte, timeNs);
  }

  /** Call when the program has ended: reads what is left of its transcript and closes the files. */
  async finish({ exitCode, signal }: ProgramExit): Promise<void> {
    this.#isOver = true;
    await (await this.#capture).finish();
    const timeNs = this.#parts.clock.nowNs();
    await this.#write([
      {
        id: `host/exit/${timeNs}`,
        source: 'host',
        confidence: 'high',
        agent: this.#agent,
        timeNs,
        kind: 'session.exited',
        reason: signal > 0 ? `signal ${signal}` : 'exit',
        exitCode,
      },
    ]);
    await this.#file.close();
    await this.#copier.close();
  }

  async #take(reported: readonly AgentEvent[]): Promise<void> {
    const stored = this.#gaps.stored(reported);
    const titled = stored.map((event) => withShortTitle(event, this.#folders));
    const resumedNs = this.#gaps.takeResumedTurn();
    const events = resumedNs === undefined ? titled : [this.#turnResumed(resumedNs), ...titled];
    if (events.length > 0) await this.#write(events);
    // After the program's end no moments are recorded, and in a pause no snapshots are taken.
    if (this.#isOver || this.#gaps.isOpen) return;
    const requests = events.flatMap((event) => this.#requestFor(event));
    // A failed snapshot must not stop the agent; its moment says that it failed.
    const taken = requests.map((request) => this.#parts.takeSnapshot(request).catch(() => {}));
    // Also wait for earlier snapshots: the transcript may have reported this event before the hook.
    this.#snapshots = Promise.all([this.#snapshots, ...taken]);
    await this.#snapshots;
  }

  #turnResumed(timeNs: bigint): AgentEvent {
    return this.#statusChanged('running', timeNs, 'The agent goes on with a turn from before.');
  }

  #statusChanged(status: AgentStatus, timeNs: bigint, evidence: string): AgentEvent {
    const id = `host/capture/${timeNs}`;
    const from = { source: 'host', confidence: 'high', agent: this.#agent } as const;
    return { id, ...from, timeNs, kind: 'status.changed', status, evidence };
  }

  #write(events: readonly AgentEvent[]): Promise<void> {
    const { redaction } = this.#parts;
    const byte = this.#parts.byteOffset();
    return this.#file.append(events.map((event) => ({ ...redaction.event(event), byte })));
  }

  /**
   * Whether the files are still as the event left them. Events of the transcript count too, because
   * an agent without hooks has no better source; transcript events from before the program's start
   * belong to an earlier run.
   */
  #isTimely({ source, timeNs }: AgentEvent): boolean {
    return source === 'hook' || (source === 'transcript' && timeNs >= this.#startedNs);
  }

  #requestFor(event: AgentEvent): SnapshotRequest[] {
    if (event.kind === 'tool.call') {
      const { callId, title, action } = event;
      this.#running.set(callId, { title, isReadOnly: READ_ONLY.has(action) });
      return [];
    }
    if (event.kind === 'tool.result') {
      const call = this.#running.get(event.callId);
      this.#running.delete(event.callId);
      if (!this.#isTimely(event) || event.outcome === 'denied' || call?.isReadOnly) return [];
      return [this.#requestNamed(call?.title ?? event.tool)];
    }
    if (event.kind === 'user.prompt' && this.#isTimely(event))
      return [{ ...this.#requestNamed(`Prompt: ${event.text}`), isOnlyIfChanged: true }];
    return [];
  }

  #requestNamed(title: string): SnapshotRequest {
    // Redact before shortening: half of a secret is not recognized.
    const label = snapshotLabel(this.#parts.redaction.text(title));
    return { label, kind: 'auto', trigger: 'tool' };
  }
}

/** Shortens paths in the working folder, as in `Edit src/a.ts`. */
function withShortTitle(event: AgentEvent, folders: readonly string[]): AgentEvent {
  if (!('title' in event)) return event;
  const title = folders.reduce((text, folder) => text.replaceAll(`${folder}/`, ''), event.title);
  return { ...event, title };
}
