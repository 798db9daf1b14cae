import type { ExactValue } from '../../base/exactJson.ts';
import {
  boundedInput,
  MAX_MESSAGE_CHARACTERS,
  MAX_SUMMARY_CHARACTERS,
  shortened,
} from '../common/bounded.ts';
import { contentKey } from '../common/contentKey.ts';
import type { AgentEvent, EventSource, ToolOutcome } from '../common/events.ts';
import { editedFiles, toolAction, toolTitle } from '../common/toolAction.ts';
import type { Fields } from '../common/untrusted.ts';

/** Of a record that nobody understands yet. */
const MAX_RAW_CHARACTERS = 4000;

/** The fields of an event that differ from kind to kind. */
type Without<T> = T extends AgentEvent
  ? Omit<T, 'id' | 'source' | 'confidence' | 'agent' | 'agentSession' | 'timeNs' | 'byte'>
  : never;
export type EventFields = Without<AgentEvent>;

interface Finished {
  readonly tool: string;
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly files?: readonly string[];
}

/** Makes events of one source of one agent: the same record makes the same event, its id included. */
export class EventBuilder {
  readonly #agent: string;
  readonly #source: EventSource;
  /** The agent's session, once it is known. */
  session: string | undefined;

  constructor(agent: string, source: EventSource, session?: string) {
    this.#agent = agent;
    this.#source = source;
    this.session = session;
  }

  /** @param key what tells this fact from all others of the session, whoever tells it */
  event(key: string, timeNs: bigint, fields: EventFields): AgentEvent {
    return {
      id: `${this.#agent}/${this.session ?? ''}/${key}`,
      source: this.#source,
      confidence: 'high',
      agent: this.#agent,
      agentSession: this.session,
      timeNs,
      ...fields,
    };
  }

  started(timeNs: bigint, reason: string, more: Omit<Started, 'kind' | 'reason'>): AgentEvent {
    // A session begins once; it may be taken up again and again.
    const key = reason === 'startup' ? 'start' : `start/${reason}/${timeNs}`;
    return this.event(key, timeNs, { kind: 'session.started', reason, ...more });
  }

  prompt(key: string, timeNs: bigint, text: string): AgentEvent {
    return this.event(`prompt/${key}`, timeNs, {
      kind: 'user.prompt',
      text: shortened(text, MAX_MESSAGE_CHARACTERS),
    });
  }

  message(key: string, timeNs: bigint, text: string): AgentEvent {
    return this.event(`message/${key}`, timeNs, {
      kind: 'assistant.message',
      text: shortened(text, MAX_MESSAGE_CHARACTERS),
    });
  }

  called(key: string, timeNs: bigint, callId: string, tool: string, input: ExactValue): AgentEvent {
    return this.event(`call/${key}`, timeNs, {
      ...{ kind: 'tool.call', callId, tool, input: boundedInput(input) },
      ...{ action: toolAction(tool), title: toolTitle(tool, input) },
    });
  }

  finished(key: string, timeNs: bigint, callId: string, done: Finished): AgentEvent {
    const { tool, outcome, output, exitCode, durationMs, files = [] } = done;
    return this.event(`result/${key}`, timeNs, {
      ...{ kind: 'tool.result', callId, tool, outcome, exitCode, durationMs, files },
      summary: shortened(output.trim(), MAX_SUMMARY_CHARACTERS),
    });
  }

  asked(key: string, timeNs: bigint, callId: string, tool: string, input: ExactValue): AgentEvent {
    return this.event(`asked/${key}`, timeNs, {
      ...{ kind: 'approval.requested', callId, tool },
      ...{ input: boundedInput(input), title: toolTitle(tool, input) },
    });
  }

  resolved(key: string, timeNs: bigint, callId: string, isAllowed: boolean): AgentEvent {
    const decision = isAllowed ? 'allowed' : 'denied';
    return this.event(`resolved/${key}`, timeNs, { kind: 'approval.resolved', callId, decision });
  }

  tokens(key: string, timeNs: bigint, used: Omit<Tokens, 'kind'>): AgentEvent {
    return this.event(`tokens/${key}`, timeNs, { kind: 'tokens.used', ...used });
  }

  unknown(timeNs: bigint, name: string, raw: Fields): AgentEvent {
    const kept = boundedRaw(raw);
    return this.event(`unknown/${contentKey(raw)}`, timeNs, { kind: 'unknown', name, raw: kept });
  }

  /** A line that is no record at all: half written, or damaged. */
  unreadable(timeNs: bigint, line: string): AgentEvent[] {
    if (line.trim() === '') return [];
    return [this.unknown(timeNs, 'unreadable', { line: shortened(line, MAX_RAW_CHARACTERS) })];
  }
}

type Started = Without<Extract<AgentEvent, { kind: 'session.started' }>>;
type Tokens = Without<Extract<AgentEvent, { kind: 'tokens.used' }>>;

/** Files that a tool changed: those it names, else those it was asked to change. */
export function changedFiles(
  tool: string,
  input: ExactValue,
  outcome: ToolOutcome,
): readonly string[] {
  return outcome === 'ok' ? editedFiles(tool, input) : [];
}

function boundedRaw(raw: Fields): Fields {
  const text = Object.entries(raw).map(([name, value]): [string, ExactValue] => [
    name,
    typeof value === 'string' ? shortened(value, 500) : value,
  ]);
  const small = Object.fromEntries(text);
  const bounded = boundedInput(small) as Fields;
  return JSON.stringify(bounded, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  ).length <= MAX_RAW_CHARACTERS
    ? bounded
    : { fields: Object.keys(raw).slice(0, 50).join(', ') };
}
