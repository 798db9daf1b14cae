import { parseExactJson, stringifyExactJson, type ExactValue } from '../../../base/exactJson.ts';
import {
  AGENT_STATUSES,
  CONFIDENCES,
  EVENT_SOURCES,
  TOOL_ACTIONS,
  TOOL_OUTCOMES,
  TURN_OUTCOMES,
  type AgentEvent,
  type EventKind,
} from './events.ts';
import { isFields, type Fields } from '../untrusted.ts';

/** Longer lines are rejected; the recorder limits inputs to far less. */
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;

type Check = (value: ExactValue) => boolean;

const text: Check = (value) => typeof value === 'string';
const count: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const anything: Check = (value) => value !== undefined;
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const BASE: Readonly<Record<string, Check>> = {
  id: text,
  source: oneOf(EVENT_SOURCES),
  confidence: oneOf(CONFIDENCES),
  agent: text,
  agentSession: optional(text),
  timeNs: (value) => typeof value === 'bigint' || count(value),
  byte: optional(count),
};

const KINDS: { readonly [K in EventKind]: Readonly<Record<string, Check>> } = {
  'session.started': {
    reason: text,
    cwd: optional(text),
    model: optional(text),
    version: optional(text),
    transcript: optional(text),
  },
  'session.exited': { reason: text, exitCode: optional(number) },
  'user.prompt': { text },
  'assistant.message': { text },
  'assistant.delta': { text },
  'tool.call': {
    callId: text,
    tool: text,
    action: oneOf(TOOL_ACTIONS),
    input: anything,
    title: text,
  },
  'tool.result': {
    callId: text,
    tool: text,
    outcome: oneOf(TOOL_OUTCOMES),
    summary: text,
    exitCode: optional(number),
    durationMs: optional(count),
    files: texts,
  },
  'approval.requested': { callId: text, tool: text, input: anything, title: text },
  'approval.resolved': { callId: text, decision: oneOf(['allowed', 'denied']) },
  'turn.completed': {
    outcome: oneOf(TURN_OUTCOMES),
    durationMs: optional(count),
    answer: optional(text),
  },
  'status.changed': { status: oneOf(AGENT_STATUSES), evidence: text },
  'context.compacted': { trigger: text },
  error: { message: text },
  'tokens.used': { input: count, output: count, cacheRead: count, model: optional(text) },
  checkpoint: { checkpoint: text, label: text },
  'timeline.sessionBranch.created': {
    fromSession: text,
    toSession: text,
    method: text,
    details: anything,
  },
  heartbeat: {},
  unknown: { name: text, raw: isFields },
};

/**
 * Formats one line of `session.events.jsonl`, with its line end. Nanoseconds are JSON numbers with
 * all digits.
 */
export function eventLine(event: AgentEvent): string {
  return `${stringifyExactJson(event as unknown as ExactValue)}\n`;
}

/**
 * Parses a line of {@link eventLine}. An unknown kind becomes `unknown`. Returns a sentence if the
 * line is invalid.
 */
export function parseEventLine(line: string): AgentEvent | string {
  if (line.length > MAX_LINE_CHARACTERS) return 'The line is too long.';
  let value: ExactValue;
  try {
    value = parseExactJson(line);
  } catch {
    return 'The line is not JSON.';
  }
  if (!isFields(value)) return 'The line is not an object.';
  const kind = value['kind'];
  if (typeof kind !== 'string') return 'The event has no kind.';
  const badField = wrongField(value, BASE);
  if (badField) return `The field "${badField}" of the event is missing or invalid.`;
  // The exact parser returns small integers as numbers, and large ones as bigints.
  const event = { ...value, timeNs: BigInt(value['timeNs'] as number | bigint) };
  if (!Object.hasOwn(KINDS, kind)) return asUnknown(kind, event);
  const badFieldOfKind = wrongField(value, KINDS[kind as EventKind]);
  if (badFieldOfKind) return `The field "${badFieldOfKind}" of ${kind} is missing or invalid.`;
  return event as unknown as AgentEvent;
}

function wrongField(value: Fields, checks: Readonly<Record<string, Check>>): string | undefined {
  return Object.entries(checks).find(([name, check]) => !check(value[name]))?.[0];
}

function asUnknown(kind: string, event: Fields): AgentEvent {
  const { id, source, confidence, agent, agentSession, timeNs, byte } =
    event as unknown as AgentEvent;
  return {
    id,
    source,
    confidence,
    agent,
    timeNs,
    ...(agentSession !== undefined && { agentSession }),
    ...(byte !== undefined && { byte }),
    kind: 'unknown',
    name: kind,
    raw: event,
  };
}
