import type { AgentEvent, ToolOutcome } from '../common/events/events.ts';
import { countOf, fieldsOf, textOf, timeNsOf, type Fields } from '../common/untrusted.ts';
import { changedFiles, type EventBuilder } from './eventBuilder.ts';

/** An event of the agent's event bus, as its plugins receive it. */
export interface BusEvent {
  readonly type: string;
  readonly properties: Fields;
  /** The role of the message that a part belongs to; the part itself does not have it. */
  readonly role: string | undefined;
}

/** Types of parts that are skipped: they add no information to the other parts. */
const UNINTERESTING_PARTS = new Set([
  'step-start',
  'patch',
  'snapshot',
  'reasoning',
  'agent',
  'file',
]);

/** Converts an event of the bus. Updates of a part keep its ID, so the merger drops repeats. */
export function busEvents(make: EventBuilder, event: BusEvent, seenNs: bigint): AgentEvent[] {
  const { type, properties, role } = event;
  const info = fieldsOf(properties['info']);
  make.session ??= textOf(properties['sessionID']) ?? textOf(info['sessionID']);
  switch (type) {
    case 'session.created': {
      const timeNs = timeNsOf(fieldsOf(info['time'])['created']) ?? seenNs;
      const cwd = textOf(info['directory']);
      return [make.started(timeNs, 'startup', { cwd, version: textOf(info['version']) })];
    }
    case 'message.part.updated':
      return part(make, fieldsOf(properties['part']), role, seenNs);
    case 'permission.asked': {
      const id = textOf(properties['id']) ?? String(seenNs);
      const callId = textOf(fieldsOf(properties['tool'])['callID']) ?? id;
      const tool = textOf(properties['permission']) ?? '';
      const asked = { ...fieldsOf(properties['metadata']), patterns: properties['patterns'] };
      return [make.asked(id, seenNs, callId, tool, asked)];
    }
    case 'permission.replied': {
      const id = textOf(properties['requestID']) ?? String(seenNs);
      const callId = textOf(properties['callID']) ?? id;
      return [make.resolved(id, seenNs, callId, properties['reply'] !== 'reject')];
    }
    case 'session.idle':
      return [make.turnCompleted(String(seenNs), seenNs, 'done')];
    case 'session.compacted':
      return [make.compacted(String(seenNs), seenNs)];
    case 'session.error':
      return failure(make, fieldsOf(properties['error']), seenNs);
    default:
      return [make.unknown(seenNs, type, properties)];
  }
}

function failure(make: EventBuilder, error: Fields, seenNs: bigint): AgentEvent[] {
  if (error['name'] === 'MessageAbortedError') {
    return [make.turnCompleted(String(seenNs), seenNs, 'interrupted')];
  }
  const message =
    textOf(fieldsOf(error['data'])['message']) ?? textOf(error['name']) ?? 'The agent failed.';
  return [make.failed(String(seenNs), seenNs, message)];
}

function part(
  make: EventBuilder,
  fields: Fields,
  role: string | undefined,
  seenNs: bigint,
): AgentEvent[] {
  const id = textOf(fields['id']) ?? String(seenNs);
  const type = textOf(fields['type']) ?? '';
  const time = fieldsOf(fields['time']);
  if (type === 'text') {
    const text = textOf(fields['text']);
    if (text === undefined || fields['synthetic'] === true) return [];
    if (role === 'user') return [make.prompt(textOf(fields['messageID']) ?? id, seenNs, text)];
    const endNs = timeNsOf(time['end']);
    return endNs === undefined ? [] : [make.message(id, endNs, text)];
  }
  if (type === 'tool') return toolPart(make, fields, seenNs);
  if (type === 'step-finish') return stepFinish(make, fields, id, seenNs);
  return UNINTERESTING_PARTS.has(type) ? [] : [make.unknown(seenNs, `part/${type}`, fields)];
}

function toolPart(make: EventBuilder, fields: Fields, seenNs: bigint): AgentEvent[] {
  const callId = textOf(fields['callID']) ?? '';
  const tool = textOf(fields['tool']) ?? '';
  const state = fieldsOf(fields['state']);
  const status = textOf(state['status']);
  // The input of a pending call is incomplete.
  if (status === undefined || status === 'pending') return [];
  const time = fieldsOf(state['time']);
  const input = state['input'] ?? null;
  const called = make.called(callId, timeNsOf(time['start']) ?? seenNs, callId, tool, input);
  if (status === 'running') return [called];
  const exitCode = countOf(fieldsOf(state['metadata'])['exit']);
  const error = textOf(state['error']);
  const outcome = outcomeOf(status, error, exitCode);
  const start = countOf(time['start']);
  const end = countOf(time['end']);
  const finished = make.finished(callId, timeNsOf(end) ?? seenNs, callId, {
    tool,
    outcome,
    exitCode,
    output: error ?? textOf(state['output']) ?? '',
    durationMs: start === undefined || end === undefined ? undefined : Math.max(0, end - start),
    files: changedFiles(tool, input, outcome),
  });
  return [called, finished];
}

function stepFinish(make: EventBuilder, fields: Fields, id: string, seenNs: bigint): AgentEvent[] {
  const tokens = fieldsOf(fields['tokens']);
  const used = {
    input: countOf(tokens['input']) ?? 0,
    output: countOf(tokens['output']) ?? 0,
    cacheRead: countOf(fieldsOf(tokens['cache'])['read']) ?? 0,
  };
  const checkpoint = textOf(fields['snapshot']);
  const saved = { kind: 'checkpoint', label: 'Files after this step' } as const;
  return [
    make.tokens(id, seenNs, used),
    ...(checkpoint === undefined
      ? []
      : [make.event(`checkpoint/${id}`, seenNs, { ...saved, checkpoint })]),
  ];
}

function outcomeOf(
  status: string,
  error: string | undefined,
  exitCode: number | undefined,
): ToolOutcome {
  if (/rejected permission|user dismissed/i.test(error ?? '')) return 'denied';
  if (/aborted/i.test(error ?? '')) return 'interrupted';
  return status === 'completed' && (exitCode ?? 0) === 0 ? 'ok' : 'failed';
}
