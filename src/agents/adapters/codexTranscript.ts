import type { ExactValue } from '../../base/exactJson.ts';
import type { TranscriptParser } from '../common/adapter.ts';
import { contentKey } from '../common/contentKey.ts';
import type { AgentEvent, ToolOutcome } from '../common/events.ts';
import {
  countOf,
  fieldsOf,
  joinedText,
  parseFields,
  stringsOf,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import { EventBuilder } from './eventBuilder.ts';
import { resultText } from './resultText.ts';

/** The tool by which newer models call the other tools from a script; those tell of themselves. */
const SCRIPT_TOOL = 'exec';
const UNINTERESTING = new Set(['world_state', 'turn_context', 'retained_source']);
const UNINTERESTING_MESSAGES = new Set([
  'task_started',
  'thread_settings_applied',
  'token_count',
  'agent_reasoning',
  'item_started',
]);
const UNINTERESTING_ITEMS = new Set(['Reasoning', 'Plan', 'HookPrompt', 'ContextCompaction']);

interface OpenCall {
  readonly tool: string;
  readonly input: ExactValue;
  readonly timeNs: bigint;
  /** Whether anything was done since. */
  isUsed: boolean;
}

/** `$CODEX_HOME/sessions/Y/M/D/rollout-<time>-<session>.jsonl`: envelopes of time, type and payload, one after the other. */
export class CodexTranscript implements TranscriptParser {
  readonly #make: EventBuilder;
  readonly #open = new Map<string, OpenCall>();
  #hasItems = false;
  #isCompactionTold = false;

  constructor(agent: string) {
    this.#make = new EventBuilder(agent, 'transcript');
  }

  push(line: string, seenNs: bigint): AgentEvent[] {
    const record = parseFields(line);
    if (!record) return this.#make.unreadable(seenNs, line);
    const timeNs = timeNsOf(record['timestamp']) ?? seenNs;
    const type = textOf(record['type']) ?? '';
    const payload = fieldsOf(record['payload']);
    switch (type) {
      case 'session_meta':
        return this.#start(payload, timeNs);
      case 'event_msg':
        return this.#message(payload, timeNs, record);
      case 'response_item':
        return this.#responseItem(payload, timeNs);
      case 'token_usage_record':
        return this.#tokens(payload, timeNs);
      case 'compacted':
        this.#isCompactionTold = true;
        return [this.#compacted(timeNs)];
      default:
        return UNINTERESTING.has(type) ? [] : [this.#make.unknown(timeNs, type, record)];
    }
  }

  #start(payload: Fields, timeNs: bigint): AgentEvent[] {
    const session = textOf(payload['id']) ?? textOf(payload['session_id']);
    // A fork may carry the head of the session that it came from.
    if (this.#make.session !== undefined) return [];
    this.#make.session = session;
    return [
      this.#make.started(timeNs, 'startup', {
        cwd: textOf(payload['cwd']),
        version: textOf(payload['cli_version']),
      }),
    ];
  }

  #message(payload: Fields, timeNs: bigint, record: Fields): AgentEvent[] {
    const type = textOf(payload['type']) ?? '';
    const turn = textOf(payload['turn_id']) ?? '';
    switch (type) {
      case 'item_completed':
        this.#hasItems = true;
        return this.#item(fieldsOf(payload['item']), turn, timeNs, payload);
      case 'task_complete':
        return [
          this.#make.event(`turn/${turn}`, timeNs, {
            ...{ kind: 'turn.completed', outcome: 'done' },
            durationMs: countOf(payload['duration_ms']),
            answer: textOf(payload['last_agent_message']),
          }),
        ];
      case 'turn_aborted':
        return [
          this.#make.event(`turn/${turn}`, timeNs, {
            ...{ kind: 'turn.completed', outcome: 'interrupted' },
          }),
        ];
      case 'error':
      case 'stream_error': {
        const message = textOf(payload['message']) ?? 'The agent failed.';
        return [this.#make.event(`error/${timeNs}`, timeNs, { kind: 'error', message })];
      }
      case 'context_compacted': {
        // Some versions say it twice.
        const isTold = this.#isCompactionTold;
        this.#isCompactionTold = false;
        return isTold ? [] : [this.#compacted(timeNs)];
      }
      // Versions before items.
      case 'user_message':
      case 'agent_message': {
        const text = textOf(payload['message']);
        if (this.#hasItems || text === undefined) return [];
        return type === 'user_message'
          ? [this.#make.prompt(`${turn}/${contentKey(text)}`, timeNs, text)]
          : [this.#make.message(`${timeNs}/${contentKey(text)}`, timeNs, text)];
      }
      default:
        if (UNINTERESTING_MESSAGES.has(type)) return [];
        return [this.#make.unknown(timeNs, `event_msg/${type}`, record)];
    }
  }

  #item(item: Fields, turn: string, timeNs: bigint, payload: Fields): AgentEvent[] {
    const type = textOf(item['type']) ?? '';
    const id = textOf(item['id']) ?? String(timeNs);
    if (type === 'UserMessage') {
      const text = joinedText(item['content']);
      return text === '' ? [] : [this.#make.prompt(`${turn}/${contentKey(text)}`, timeNs, text)];
    }
    if (type === 'AgentMessage') {
      const text = joinedText(item['content']);
      return text === '' ? [] : [this.#make.message(id, timeNs, text)];
    }
    if (UNINTERESTING_ITEMS.has(type)) return [];
    for (const call of this.#open.values()) call.isUsed = true;
    const startNs = timeNsOf(payload['started_at_ms']) ?? timeNs;
    if (type === 'CommandExecution') return this.#command(item, id, startNs, timeNs);
    if (type === 'FileChange') return this.#fileChange(item, id, startNs, timeNs);
    return this.#otherItem(item, type, id, startNs, timeNs);
  }

  #command(item: Fields, id: string, startNs: bigint, timeNs: bigint): AgentEvent[] {
    const words = stringsOf(item['command']);
    const command = /^-l?c$/.test(words[1] ?? '') ? (words[2] ?? '') : words.join(' ');
    const exitCode = countOf(item['exit_code']);
    const outcome = outcomeOf(textOf(item['status']), exitCode);
    return [
      ...this.#callOnce(id, startNs, 'Bash', { command }),
      this.#make.finished(id, timeNs, id, {
        ...{ tool: 'Bash', outcome, exitCode, output: textOf(item['aggregated_output']) ?? '' },
        durationMs: millisecondsOf(fieldsOf(item['duration'])),
      }),
    ];
  }

  #fileChange(item: Fields, id: string, startNs: bigint, timeNs: bigint): AgentEvent[] {
    const changes = fieldsOf(item['changes']);
    const outcome = outcomeOf(textOf(item['status']), undefined);
    const output = [textOf(item['stdout']), textOf(item['stderr'])].filter(Boolean).join('\n');
    const files = Object.keys(changes);
    return [
      ...this.#callOnce(id, startNs, 'apply_patch', { path: files.join(', '), changes }),
      this.#make.finished(id, timeNs, id, {
        ...{ tool: 'apply_patch', outcome, output },
        files: outcome === 'ok' ? files : [],
      }),
    ];
  }

  /** Web searches, tools of servers, images: called by their item's name. */
  #otherItem(
    item: Fields,
    type: string,
    id: string,
    startNs: bigint,
    timeNs: bigint,
  ): AgentEvent[] {
    const tool = textOf(item['tool']) ?? type;
    const outcome = outcomeOf(textOf(item['status']), undefined);
    const output = resultText(item['result'] ?? item['error']);
    return [
      ...this.#callOnce(id, startNs, tool, item['arguments'] ?? item['query'] ?? null),
      this.#make.finished(id, timeNs, id, { tool, outcome, output }),
    ];
  }

  #callOnce(id: string, timeNs: bigint, tool: string, input: ExactValue): AgentEvent[] {
    if (this.#open.delete(id)) return [];
    return [this.#make.called(id, timeNs, id, tool, input)];
  }

  #responseItem(payload: Fields, timeNs: bigint): AgentEvent[] {
    const type = textOf(payload['type']) ?? '';
    const callId = textOf(payload['call_id']);
    if (callId === undefined) return [];
    if (type === 'function_call' || type === 'custom_tool_call') {
      const tool = textOf(payload['name']) ?? '';
      const input = argumentsOf(payload['arguments'] ?? payload['input']);
      this.#open.set(callId, { tool, input, timeNs, isUsed: false });
      return tool === SCRIPT_TOOL ? [] : [this.#make.called(callId, timeNs, callId, tool, input)];
    }
    if (!type.endsWith('_output')) return [];
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    // Its item has told the result; or it is a script whose tools have.
    if (!call || (call.tool === SCRIPT_TOOL && call.isUsed)) return [];
    const output = resultText(payload['output']);
    const { tool } = call;
    const outcome = outcomeOfText(output);
    const finished = this.#make.finished(callId, timeNs, callId, { tool, outcome, output });
    if (tool !== SCRIPT_TOOL) return [finished];
    // No item tells what the script did. A hook may have: then this is not told.
    const called = this.#make.called(callId, call.timeNs, callId, tool, call.input);
    return [
      { ...called, confidence: 'medium' },
      { ...finished, confidence: 'medium' },
    ];
  }

  #tokens(payload: Fields, timeNs: bigint): AgentEvent[] {
    const id = textOf(payload['response_id']) ?? String(timeNs);
    const usage = fieldsOf(payload['usage']);
    const used = {
      input: countOf(usage['input_tokens']) ?? 0,
      output: countOf(usage['output_tokens']) ?? 0,
      cacheRead: countOf(usage['cached_input_tokens']) ?? 0,
    };
    return [this.#make.tokens(id, timeNs, used)];
  }

  #compacted(timeNs: bigint): AgentEvent {
    const fields = { kind: 'context.compacted', trigger: 'auto' } as const;
    return this.#make.event(`compact/${timeNs}`, timeNs, fields);
  }
}

function outcomeOfText(output: string): ToolOutcome {
  if (output.startsWith('aborted by user')) return 'interrupted';
  return /^(?:Script failed|unsupported |Error)/.test(output) ? 'failed' : 'ok';
}

function argumentsOf(value: ExactValue): ExactValue {
  return (typeof value === 'string' ? parseFields(value) : undefined) ?? value ?? null;
}

function outcomeOf(status: string | undefined, exitCode: number | undefined): ToolOutcome {
  if (status === 'declined') return 'denied';
  if (status === 'interrupted') return 'interrupted';
  return status === 'failed' || (exitCode ?? 0) !== 0 ? 'failed' : 'ok';
}

function millisecondsOf({ secs, nanos }: Fields): number | undefined {
  const seconds = countOf(secs);
  return seconds === undefined ? undefined : seconds * 1000 + (countOf(nanos) ?? 0) / 1e6;
}
