import type { ExactValue } from '../../base/exactJson.ts';
import {
  boundedInput,
  MAX_MESSAGE_CHARACTERS,
  MAX_SUMMARY_CHARACTERS,
  shortened,
} from '../common/bounded.ts';
import { contentKey } from '../common/events/contentKey.ts';
import type { AgentEvent, EventSource, ToolOutcome, TurnOutcome } from '../common/events/events.ts';
import { editedFiles, toolAction, toolTitle } from '../common/events/toolAction.ts';
import { textOf, type Fields } from '../common/untrusted.ts';

/** Size limit of the raw record in an `unknown` event. */
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

/** Builds the events of one source of one agent. The same record gives the same event and ID. */
export class EventBuilder {
  readonly #agent: string;
  readonly #source: EventSource;
  /** The agent's session ID, once it is known. */
  session: string | undefined;

  constructor(agent: string, source: EventSource, session?: string) {
    this.#agent = agent;
    this.#source = source;
    this.session = session;
  }

  /** @param key identifies the fact in the session; where possible, all sources use the same key */
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
    // A session starts once, but may be resumed many times.
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
      kind: 'tool.call',
      callId,
      tool,
      input: boundedInput(input),
      action: toolAction(tool),
      title: toolTitle(tool, input),
    });
  }

  finished(key: string, timeNs: bigint, callId: string, done: Finished): AgentEvent {
    const { tool, outcome, output, exitCode, durationMs, files = [] } = done;
    return this.event(`result/${key}`, timeNs, {
      kind: 'tool.result',
      callId,
      tool,
      outcome,
      exitCode,
      durationMs,
      files,
      summary: shortened(output.trim(), MAX_SUMMARY_CHARACTERS),
    });
  }

  asked(key: string, timeNs: bigint, callId: string, tool: string, input: ExactValue): AgentEvent {
    return this.event(`asked/${key}`, timeNs, {
      kind: 'approval.requested',
      callId,
      tool,
      input: boundedInput(input),
      title: toolTitle(tool, input),
    });
  }

  resolved(key: string, timeNs: bigint, callId: string, isAllowed: boolean): AgentEvent {
    const decision = isAllowed ? 'allowed' : 'denied';
    return this.event(`resolved/${key}`, timeNs, { kind: 'approval.resolved', callId, decision });
  }

  tokens(key: string, timeNs: bigint, used: Omit<Tokens, 'kind'>): AgentEvent {
    return this.event(`tokens/${key}`, timeNs, { kind: 'tokens.used', ...used });
  }

  turnCompleted(
    key: string,
    timeNs: bigint,
    outcome: TurnOutcome,
    more: Omit<Completed, 'kind' | 'outcome'> = {},
  ): AgentEvent {
    return this.event(`turn/${key}`, timeNs, { kind: 'turn.completed', outcome, ...more });
  }

  failed(key: string, timeNs: bigint, message: string): AgentEvent {
    return this.event(`error/${key}`, timeNs, { kind: 'error', message });
  }

  compacted(key: string, timeNs: bigint, trigger = 'auto'): AgentEvent {
    return this.event(`compact/${key}`, timeNs, { kind: 'context.compacted', trigger });
  }

  exited(timeNs: bigint, reason: string): AgentEvent {
    return this.event('end', timeNs, { kind: 'session.exited', reason });
  }

  /** For the start hooks of Claude Code, Codex and Gemini CLI, which have the same fields. */
  startedByHook(timeNs: bigint, payload: Fields): AgentEvent {
    return this.started(timeNs, textOf(payload['source']) ?? 'startup', {
      cwd: textOf(payload['cwd']),
      model: textOf(payload['model']),
      transcript: textOf(payload['transcript_path']),
    });
  }

  exitedByHook(timeNs: bigint, payload: Fields): AgentEvent {
    return this.exited(timeNs, textOf(payload['reason']) ?? 'other');
  }

  unknown(timeNs: bigint, name: string, raw: Fields): AgentEvent {
    const bounded = boundedRaw(raw);
    return this.event(`unknown/${contentKey(raw)}`, timeNs, {
      kind: 'unknown',
      name,
      raw: bounded,
    });
  }

  /** An `unknown` event for a line that is not JSON: incomplete or damaged. */
  unreadable(timeNs: bigint, line: string): AgentEvent[] {
    if (line.trim() === '') return [];
    return [this.unknown(timeNs, 'unreadable', { line: shortened(line, MAX_RAW_CHARACTERS) })];
  }
}

type Started = Without<Extract<AgentEvent, { kind: 'session.started' }>>;
type Completed = Without<Extract<AgentEvent, { kind: 'turn.completed' }>>;
type Tokens = Without<Extract<AgentEvent, { kind: 'tokens.used' }>>;

/** The files that a successful edit changed, according to its input. */
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
