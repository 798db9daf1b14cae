import type { ExactValue } from '../../base/exactJson.ts';
import type { AgentEvent, ToolOutcome } from '../common/events/events.ts';
import { countOf, fieldsOf, listOf, textOf, type Fields } from '../common/untrusted.ts';
import { RecordParser } from './recordParser.ts';
import { resultText } from './resultText.ts';

const UNINTERESTING =
  /^(?:hook\.|system\.|assistant\.turn_start|assistant\.reasoning|assistant\.intent|session\.(?:info|title|context|mode|idle|tools|model|compaction_start|snapshot|import|background|todos|workspace|truncation|usage_info)|tool\.(?:user_requested|execution_progress|execution_partial))/;

/**
 * Parses `~/.copilot/session-state/<session>/events.jsonl`: each line is an event with a type,
 * data, an ID and a time.
 */
export class CopilotTranscript extends RecordParser {
  readonly #calls = new Map<string, { readonly tool: string; readonly input: ExactValue }>();
  #turn = '';
  /** Whether the agent's latest message requests no tool: its end is then the end of the turn. */
  #isLast = false;

  protected record(record: Fields, timeNs: bigint): AgentEvent[] {
    const type = textOf(record['type']) ?? '';
    const id = textOf(record['id']) ?? String(timeNs);
    return this.#events(type, id, timeNs, fieldsOf(record['data']), record);
  }

  #events(type: string, id: string, timeNs: bigint, data: Fields, record: Fields): AgentEvent[] {
    switch (type) {
      case 'session.start':
      case 'session.resume':
        return this.#start(type === 'session.start' ? 'startup' : 'resume', timeNs, data);
      case 'user.message': {
        this.#turn = textOf(data['messageId']) ?? id;
        this.#isLast = false;
        return [this.make.prompt(this.#turn, timeNs, textOf(data['content']) ?? '')];
      }
      case 'assistant.message': {
        this.#isLast = listOf(data['toolRequests']).length === 0;
        const text = textOf(data['content']);
        return text === undefined ? [] : [this.make.message(id, timeNs, text)];
      }
      case 'assistant.turn_end':
        return this.#isLast ? [this.#turnEnd(timeNs, 'done')] : [];
      case 'abort':
        return [this.#turnEnd(timeNs, 'interrupted')];
      case 'tool.execution_start':
        return this.#called(timeNs, data);
      case 'tool.execution_complete':
        return this.#finished(timeNs, data);
      case 'permission.requested':
        return this.#asked(id, timeNs, fieldsOf(data['permissionRequest']));
      case 'permission.completed': {
        const callId = textOf(data['toolCallId']) ?? '';
        const kind = textOf(fieldsOf(data['result'])['kind']) ?? '';
        return [this.make.resolved(callId || id, timeNs, callId, kind.startsWith('approved'))];
      }
      case 'session.usage_record':
        return this.#tokens(id, timeNs, fieldsOf(data['usage']));
      case 'session.compaction_complete':
        return [this.make.compacted(id, timeNs)];
      case 'session.error': {
        const message = textOf(data['message']) ?? 'The agent failed.';
        return [this.make.failed(id, timeNs, message)];
      }
      case 'session.shutdown':
        return [this.make.exited(timeNs, textOf(data['shutdownType']) ?? 'shutdown')];
      default:
        return UNINTERESTING.test(type) ? [] : [this.make.unknown(timeNs, type, record)];
    }
  }

  #start(reason: string, timeNs: bigint, data: Fields): AgentEvent[] {
    this.make.session ??= textOf(data['sessionId']);
    return [
      this.make.started(timeNs, reason, {
        cwd: textOf(fieldsOf(data['context'])['cwd']),
        model: textOf(data['selectedModel']),
        version: textOf(data['copilotVersion']),
      }),
    ];
  }

  #called(timeNs: bigint, data: Fields): AgentEvent[] {
    const callId = textOf(data['toolCallId']) ?? '';
    const tool = textOf(data['toolName']) ?? '';
    const input = data['arguments'] ?? null;
    this.#calls.set(callId, { tool, input });
    return [this.make.called(callId, timeNs, callId, tool, input)];
  }

  #finished(timeNs: bigint, data: Fields): AgentEvent[] {
    const callId = textOf(data['toolCallId']) ?? '';
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    const error = fieldsOf(data['error']);
    const exitCode = countOf(fieldsOf(data['shellExecution'])['exitCode']);
    const output = textOf(error['message']) ?? resultText(data['result']);
    const outcome = outcomeOf(data['success'] === true, textOf(error['code']), exitCode);
    const files = listOf(data['fileEdits']).flatMap((edit) => textOf(edit['path']) ?? []);
    const done = { tool: call?.tool ?? '', outcome, output, exitCode, files };
    return [this.make.finished(callId, timeNs, callId, done)];
  }

  #asked(id: string, timeNs: bigint, request: Fields): AgentEvent[] {
    const callId = textOf(request['toolCallId']) ?? id;
    const call = this.#calls.get(callId);
    const tool = call?.tool ?? textOf(request['kind']) ?? '';
    return [this.make.asked(callId, timeNs, callId, tool, call?.input ?? request)];
  }

  #tokens(id: string, timeNs: bigint, usage: Fields): AgentEvent[] {
    const used = {
      input: countOf(usage['inputTokens']) ?? 0,
      output: countOf(usage['outputTokens']) ?? 0,
      cacheRead: countOf(usage['cacheReadTokens']) ?? 0,
      model: textOf(usage['model']),
    };
    return [this.make.tokens(id, timeNs, used)];
  }

  #turnEnd(timeNs: bigint, outcome: 'done' | 'interrupted'): AgentEvent {
    this.#isLast = false;
    return this.make.turnCompleted(this.#turn, timeNs, outcome);
  }
}

function outcomeOf(
  isSuccess: boolean,
  code: string | undefined,
  exitCode: number | undefined,
): ToolOutcome {
  if (code === 'denied' || code === 'rejected') return 'denied';
  return isSuccess && (exitCode ?? 0) === 0 ? 'ok' : 'failed';
}
