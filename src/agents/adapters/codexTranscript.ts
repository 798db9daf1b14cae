import type { ExactValue } from '../../base/exactJson.ts';
import { contentKey } from '../common/events/contentKey.ts';
import type { AgentEvent, ToolOutcome } from '../common/events/events.ts';
import {
  countOf,
  fieldsOf,
  joinedText,
  stringsOf,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import { codexCallInput } from '../common/records/codexRecords.ts';
import { RecordParser } from './recordParser.ts';
import { resultText } from './resultText.ts';

/**
 * The tool that runs scripts. Newer models call other tools from such scripts; those calls have
 * records of their own.
 */
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
  /** Whether a tool's item was recorded while this call was open. */
  isUsed: boolean;
}

/**
 * Parses `$CODEX_HOME/sessions/Y/M/D/rollout-<time>-<session>.jsonl`: each line has a time, a type
 * and a payload.
 */
export class CodexTranscript extends RecordParser {
  readonly #open = new Map<string, OpenCall>();
  #hasItems = false;
  #isCompactionReported = false;

  protected record(record: Fields, timeNs: bigint): AgentEvent[] {
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
        this.#isCompactionReported = true;
        return [this.make.compacted(String(timeNs), timeNs)];
      default:
        return UNINTERESTING.has(type) ? [] : [this.make.unknown(timeNs, type, record)];
    }
  }

  #start(payload: Fields, timeNs: bigint): AgentEvent[] {
    const session = textOf(payload['id']) ?? textOf(payload['session_id']);
    // The transcript of a fork may also contain its parent's head; only the first head counts.
    if (this.make.session !== undefined) return [];
    this.make.session = session;
    return [
      this.make.started(timeNs, 'startup', {
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
          this.make.turnCompleted(turn, timeNs, 'done', {
            durationMs: countOf(payload['duration_ms']),
            answer: textOf(payload['last_agent_message']),
          }),
        ];
      case 'turn_aborted':
        return [this.make.turnCompleted(turn, timeNs, 'interrupted')];
      case 'error':
      case 'stream_error': {
        const message = textOf(payload['message']) ?? 'The agent failed.';
        return [this.make.failed(String(timeNs), timeNs, message)];
      }
      case 'context_compacted': {
        // Some versions write a `compacted` record before this one, for the same compaction.
        const isReported = this.#isCompactionReported;
        this.#isCompactionReported = false;
        return isReported ? [] : [this.make.compacted(String(timeNs), timeNs)];
      }
      // Older versions write these messages instead of items.
      case 'user_message':
      case 'agent_message': {
        const text = textOf(payload['message']);
        if (this.#hasItems || text === undefined) return [];
        return type === 'user_message'
          ? [this.make.prompt(`${turn}/${contentKey(text)}`, timeNs, text)]
          : [this.make.message(`${timeNs}/${contentKey(text)}`, timeNs, text)];
      }
      default:
        if (UNINTERESTING_MESSAGES.has(type)) return [];
        return [this.make.unknown(timeNs, `event_msg/${type}`, record)];
    }
  }

  #item(item: Fields, turn: string, timeNs: bigint, payload: Fields): AgentEvent[] {
    const type = textOf(item['type']) ?? '';
    const id = textOf(item['id']) ?? String(timeNs);
    if (type === 'UserMessage') {
      const text = joinedText(item['content']);
      return text === '' ? [] : [this.make.prompt(`${turn}/${contentKey(text)}`, timeNs, text)];
    }
    if (type === 'AgentMessage') {
      const text = joinedText(item['content']);
      return text === '' ? [] : [this.make.message(id, timeNs, text)];
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
      this.make.finished(id, timeNs, id, {
        tool: 'Bash',
        outcome,
        exitCode,
        output: textOf(item['aggregated_output']) ?? '',
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
      this.make.finished(id, timeNs, id, {
        tool: 'apply_patch',
        outcome,
        output,
        files: outcome === 'ok' ? files : [],
      }),
    ];
  }

  /**
   * Other items: web searches, MCP tools and images. An item without a tool is named by its type.
   */
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
      this.make.finished(id, timeNs, id, { tool, outcome, output }),
    ];
  }

  #callOnce(id: string, timeNs: bigint, tool: string, input: ExactValue): AgentEvent[] {
    if (this.#open.delete(id)) return [];
    return [this.make.called(id, timeNs, id, tool, input)];
  }

  #responseItem(payload: Fields, timeNs: bigint): AgentEvent[] {
    const type = textOf(payload['type']) ?? '';
    const callId = textOf(payload['call_id']);
    if (callId === undefined) return [];
    if (type === 'function_call' || type === 'custom_tool_call') {
      const tool = textOf(payload['name']) ?? '';
      const input = codexCallInput(payload);
      this.#open.set(callId, { tool, input, timeNs, isUsed: false });
      return tool === SCRIPT_TOOL ? [] : [this.make.called(callId, timeNs, callId, tool, input)];
    }
    if (!type.endsWith('_output')) return [];
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    // An item already reported this result, or items reported the script's own calls.
    if (!call || (call.tool === SCRIPT_TOOL && call.isUsed)) return [];
    const output = resultText(payload['output']);
    const { tool } = call;
    const outcome = outcomeOfText(output);
    const finished = this.make.finished(callId, timeNs, callId, { tool, outcome, output });
    if (tool !== SCRIPT_TOOL) return [finished];
    // No item reported the script's calls, so the script itself is reported. With `medium`, the
    // merger drops it if hooks reported the calls.
    const called = this.make.called(callId, call.timeNs, callId, tool, call.input);
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
    return [this.make.tokens(id, timeNs, used)];
  }
}

function outcomeOfText(output: string): ToolOutcome {
  if (output.startsWith('aborted by user')) return 'interrupted';
  return /^(?:Script failed|unsupported |Error)/.test(output) ? 'failed' : 'ok';
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
