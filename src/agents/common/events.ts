import type { ExactValue } from '../../base/exactJson.ts';
import type { Fields } from './untrusted.ts';

/**
 * What agents do, in words that fit all of them. Every fact is parsed once, from the richest source there is, and
 * everybody else (timeline, sessions view, notifications, search) works with these.
 */

/** `host` is the recorder itself: it knows when the program ended and what was branched. */
export const EVENT_SOURCES = ['hook', 'transcript', 'osc', 'pty', 'host'] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/** `high`: the agent says so. `medium`: it follows from what the agent says. `low`: guessed from the screen. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export interface EventBase {
  /** The same on every reading of the same record: a fact that comes twice has the same id twice. */
  readonly id: string;
  readonly source: EventSource;
  readonly confidence: Confidence;
  /** Id of a known agent. */
  readonly agent: string;
  /** The agent's own name for its session; undefined until it is known. */
  readonly agentSession?: string | undefined;
  /** When it happened, as the agent says; else when it was seen. */
  readonly timeNs: bigint;
  /** Where in the recording: the byte offset when it was seen. The recorder fills it in. */
  readonly byte?: number | undefined;
}

export interface SessionStarted extends EventBase {
  readonly kind: 'session.started';
  /** `startup`, `resume`, `clear`, `compact`, or what else the agent calls it. */
  readonly reason: string;
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
  readonly version?: string | undefined;
  /** Where the agent keeps its own record of the session. */
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

/** A piece of an answer that is still being written. May be left out. */
export interface AssistantDelta extends EventBase {
  readonly kind: 'assistant.delta';
  readonly text: string;
}

/** What a tool does, whatever an agent calls it. */
export const TOOL_ACTIONS = ['shell', 'edit', 'read', 'search', 'web', 'agent', 'other'] as const;
export type ToolAction = (typeof TOOL_ACTIONS)[number];

export interface ToolCalled extends EventBase {
  readonly kind: 'tool.call';
  /** Joins the call, its approval and its result. */
  readonly callId: string;
  /** As the agent names it. */
  readonly tool: string;
  readonly action: ToolAction;
  /** Exactly what the agent passes to the tool; see `boundedInput` for the longest ones. */
  readonly input: ExactValue;
  /** One line for people: the command, the file. */
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
  /** Files that the tool says it changed. */
  readonly files: readonly string[];
}

export interface ApprovalRequested extends EventBase {
  readonly kind: 'approval.requested';
  readonly callId: string;
  readonly tool: string;
  /** Exactly what the person is asked to allow. */
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
  /** The last words of the agent, where it tells them along. */
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
  /** Why, for people. */
  readonly evidence: string;
}

export interface ContextCompacted extends EventBase {
  readonly kind: 'context.compacted';
  /** `manual`, `auto`, or what else the agent calls it. */
  readonly trigger: string;
}

export interface AgentFailed extends EventBase {
  readonly kind: 'error';
  readonly message: string;
}

/** Tokens of one answer of the model. */
export interface TokensUsed extends EventBase {
  readonly kind: 'tokens.used';
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly model?: string | undefined;
}

/** The agent saved a state that it can go back to. */
export interface Checkpoint extends EventBase {
  readonly kind: 'checkpoint';
  readonly checkpoint: string;
  readonly label: string;
}

/** A new session grew out of this one, or this one out of another. */
export interface BranchCreated extends EventBase {
  readonly kind: 'timeline.sessionBranch.created';
  readonly fromSession: string;
  readonly toSession: string;
  readonly method: string;
  readonly details: ExactValue;
}

/** Nothing happened, and the agent is alive. May be left out. */
export interface Heartbeat extends EventBase {
  readonly kind: 'heartbeat';
}

/** A record that this version does not know: kept, so that a later one may. */
export interface UnknownRecord extends EventBase {
  readonly kind: 'unknown';
  /** What the agent calls it. */
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

/** Kinds that may be left out when there is too much of them; all others are kept, whatever it takes. */
export const DROPPABLE: ReadonlySet<EventKind> = new Set([
  'assistant.delta',
  'heartbeat',
  'unknown',
]);

/** Facts reach us out of order, the quick hook before the slow transcript. Equal times keep the order of arrival. */
export function inOrder(events: readonly AgentEvent[]): AgentEvent[] {
  return events
    .map((event, index) => ({ event, index }))
    .sort((a, b) => {
      if (a.event.timeNs !== b.event.timeNs) return a.event.timeNs < b.event.timeNs ? -1 : 1;
      return a.index - b.index;
    })
    .map(({ event }) => event);
}
