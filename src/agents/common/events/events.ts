import type { ExactValue } from '../../../base/exactJson.ts';
import type { Fields } from '../untrusted.ts';

/**
 * What agents do, in one form for all of them. Adapters parse each fact once; the timeline, the
 * sessions view, notifications and search use these events.
 */

/** `host` is the recorder itself: it reports the program's end and new branches. */
export const EVENT_SOURCES = ['hook', 'transcript', 'osc', 'pty', 'host'] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/**
 * `high`: reported by the agent. `medium`: inferred from its reports. `low`: guessed from the
 * screen.
 */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export interface EventBase {
  /** Stable: reading the same record again gives the same ID. */
  readonly id: string;
  readonly source: EventSource;
  readonly confidence: Confidence;
  /** The ID of a known agent. */
  readonly agent: string;
  /** The agent's own session ID; undefined until it is known. */
  readonly agentSession?: string | undefined;
  /**
   * When the fact happened, according to the agent; if the agent gives no time, when the recorder
   * saw it.
   */
  readonly timeNs: bigint;
  /** The recording's byte offset when the event was seen; set by the recorder. */
  readonly byte?: number | undefined;
}

export interface SessionStarted extends EventBase {
  readonly kind: 'session.started';
  /** `startup`, `resume`, `clear`, `compact`, or another name that the agent uses. */
  readonly reason: string;
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
  readonly version?: string | undefined;
  /** Path of the agent's transcript. */
  readonly transcript?: string | undefined;
}

export interface SessionExited extends EventBase {
  readonly kind: 'session.exited';
  readonly reason: string;
  readonly exitCode?: number | undefined;
}

export interface UserPrompt extends EventBase {
  readonly kind: 'user.prompt';
  readonly text: string;
}

export interface AssistantMessage extends EventBase {
  readonly kind: 'assistant.message';
  readonly text: string;
}

/** A piece of an answer in progress. May be dropped; see {@link DROPPABLE}. */
export interface AssistantDelta extends EventBase {
  readonly kind: 'assistant.delta';
  readonly text: string;
}

/** What a tool does, independent of the agent's name for it. */
export const TOOL_ACTIONS = ['shell', 'edit', 'read', 'search', 'web', 'agent', 'other'] as const;
export type ToolAction = (typeof TOOL_ACTIONS)[number];

export interface ToolCalled extends EventBase {
  readonly kind: 'tool.call';
  /** Links the call, its approval and its result. */
  readonly callId: string;
  /** The agent's name for the tool. */
  readonly tool: string;
  readonly action: ToolAction;
  /** The exact input of the tool; `boundedInput` shortens very long ones. */
  readonly input: ExactValue;
  /** One line to show: the command or the file. */
  readonly title: string;
}

export const TOOL_OUTCOMES = ['ok', 'failed', 'denied', 'interrupted'] as const;
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

export interface ToolFinished extends EventBase {
  readonly kind: 'tool.result';
  readonly callId: string;
  readonly tool: string;
  readonly outcome: ToolOutcome;
  /** The result, shortened in the middle. */
  readonly summary: string;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
  /** Files that the tool reports as changed. */
  readonly files: readonly string[];
}

export interface ApprovalRequested extends EventBase {
  readonly kind: 'approval.requested';
  readonly callId: string;
  readonly tool: string;
  /** The exact input that the user is asked to approve. */
  readonly input: ExactValue;
  readonly title: string;
}

export interface ApprovalResolved extends EventBase {
  readonly kind: 'approval.resolved';
  readonly callId: string;
  readonly decision: 'allowed' | 'denied';
}

export const TURN_OUTCOMES = ['done', 'interrupted', 'failed'] as const;
export type TurnOutcome = (typeof TURN_OUTCOMES)[number];

export interface TurnCompleted extends EventBase {
  readonly kind: 'turn.completed';
  readonly outcome: TurnOutcome;
  readonly durationMs?: number | undefined;
  /** The agent's answer, if it comes with the end of the turn. */
  readonly answer?: string | undefined;
}

export const AGENT_STATUSES = [
  'exited',
  'waiting_approval',
  'running',
  'waiting',
  'idle',
  'unknown',
] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export interface StatusChanged extends EventBase {
  readonly kind: 'status.changed';
  readonly status: AgentStatus;
  /** The reason, as a sentence to show. */
  readonly evidence: string;
}

/** Whether a pause of the capture cut a turn, and the agent goes on with it after the pause. */
export function isTurnResumed(event: AgentEvent): boolean {
  return event.kind === 'status.changed' && event.source === 'host' && event.status === 'running';
}

export interface ContextCompacted extends EventBase {
  readonly kind: 'context.compacted';
  /** `manual`, `auto`, or another name that the agent uses. */
  readonly trigger: string;
}

export interface AgentFailed extends EventBase {
  readonly kind: 'error';
  readonly message: string;
}

/** Token counts of one model response. */
export interface TokensUsed extends EventBase {
  readonly kind: 'tokens.used';
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly model?: string | undefined;
}

/** The agent saved a state that it can return to. */
export interface Checkpoint extends EventBase {
  readonly kind: 'checkpoint';
  readonly checkpoint: string;
  readonly label: string;
}

/** A session was branched from this one, or this one from another. */
export interface BranchCreated extends EventBase {
  readonly kind: 'timeline.sessionBranch.created';
  readonly fromSession: string;
  readonly toSession: string;
  readonly method: string;
  readonly details: ExactValue;
}

/** Shows only that the agent is alive. May be dropped; see {@link DROPPABLE}. */
export interface Heartbeat extends EventBase {
  readonly kind: 'heartbeat';
}

/** A record that this version does not understand, stored for later versions. */
export interface UnknownRecord extends EventBase {
  readonly kind: 'unknown';
  /** The agent's name for the record. */
  readonly name: string;
  readonly raw: Fields;
}

export type AgentEvent =
  | SessionStarted
  | SessionExited
  | UserPrompt
  | AssistantMessage
  | AssistantDelta
  | ToolCalled
  | ToolFinished
  | ApprovalRequested
  | ApprovalResolved
  | TurnCompleted
  | StatusChanged
  | ContextCompacted
  | AgentFailed
  | TokensUsed
  | Checkpoint
  | BranchCreated
  | Heartbeat
  | UnknownRecord;

export type EventKind = AgentEvent['kind'];

/** Kinds that may be dropped when there are too many; all other kinds are always stored. */
export const DROPPABLE: ReadonlySet<EventKind> = new Set([
  'assistant.delta',
  'heartbeat',
  'unknown',
]);

/** Sorts by time, since hooks arrive before the transcript. Equal times keep their order. */
export function inOrder(events: readonly AgentEvent[]): AgentEvent[] {
  return events.toSorted((a, b) => (a.timeNs === b.timeNs ? 0 : a.timeNs < b.timeNs ? -1 : 1));
}
