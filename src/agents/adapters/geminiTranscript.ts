import type { AgentEvent, ToolOutcome } from '../common/events/events.ts';
import { SeenSet } from '../common/events/seenSet.ts';
import {
  countOf,
  fieldsOf,
  joinedText,
  listOf,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import { changedFiles } from './eventBuilder.ts';
import {
  functionResponses,
  GEMINI_EXIT_CODE,
  geminiCall,
  geminiChanges,
  isGeminiCallFinished,
  isGeminiHead,
  isGeminiPrompt,
} from '../common/records/geminiRecords.ts';
import { RecordParser } from './recordParser.ts';
import { exitCodeIn, resultText } from './resultText.ts';

const CANCELLED = /^Request cancelled/i;

/**
 * Parses `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`. The agent writes a message
 * again, with the same ID, when it changes, and a `$set` record may repeat all messages.
 */
export class GeminiTranscript extends RecordParser {
  readonly #reported = new SeenSet();

  protected record(record: Fields, timeNs: bigint, seenNs: bigint): AgentEvent[] {
    return this.#events(record, timeNs, seenNs).filter(({ id }) => this.#reported.add(id));
  }

  #events(record: Fields, timeNs: bigint, seenNs: bigint): AgentEvent[] {
    const session = textOf(record['sessionId']);
    if (session !== undefined && isGeminiHead(record)) {
      this.make.session ??= session;
      return [this.make.started(timeNsOf(record['startTime']) ?? seenNs, 'startup', {})];
    }
    const changes = geminiChanges(record);
    if (!changes) return this.#message(record, timeNs);
    return listOf(changes['messages']).flatMap((message) =>
      this.#message(message, timeNsOf(message['timestamp']) ?? seenNs),
    );
  }

  #message(record: Fields, timeNs: bigint): AgentEvent[] {
    const id = textOf(record['id']) ?? String(timeNs);
    const text = joinedText(record['content']);
    switch (textOf(record['type']) ?? '') {
      case 'user':
        // Other user messages are the agent's context or tool results, which the message with the
        // call repeats.
        return isGeminiPrompt(record) ? [this.make.prompt(id, timeNs, text)] : [];
      case 'gemini':
        return [
          ...(text === '' ? [] : [this.make.message(id, timeNs, text)]),
          ...this.#tokens(record, id, timeNs),
          ...listOf(record['toolCalls']).flatMap((call) => this.#call(call, timeNs)),
        ];
      case 'error':
        return [this.make.failed(id, timeNs, text)];
      case 'info':
      case 'warning':
        return CANCELLED.test(text) ? [this.make.turnCompleted(id, timeNs, 'interrupted')] : [];
      default:
        return [this.make.unknown(timeNs, textOf(record['type']) ?? 'record', record)];
    }
  }

  /** The agent writes a call when it is finished, together with its result. */
  #call(call: Fields, messageNs: bigint): AgentEvent[] {
    const { callId, tool, input } = geminiCall(call);
    const called = this.make.called(callId, messageNs, callId, tool, input);
    if (!isGeminiCallFinished(call)) return [called];
    const response = fieldsOf(fieldsOf(functionResponses(call['result'])[0])['response']);
    const output = textOf(response['error']) ?? resultText(response);
    const exitCode = exitCodeIn(output, GEMINI_EXIT_CODE);
    const outcome = outcomeOf(call['status'], exitCode);
    const files = changedFiles(tool, input, outcome);
    const timeNs = timeNsOf(call['timestamp']) ?? messageNs;
    const done = { tool, outcome, output, exitCode, files };
    return [called, this.make.finished(callId, timeNs, callId, done)];
  }

  #tokens(record: Fields, id: string, timeNs: bigint): AgentEvent[] {
    const tokens = fieldsOf(record['tokens']);
    const output = countOf(tokens['output']);
    if (output === undefined) return [];
    const used = {
      input: countOf(tokens['input']) ?? 0,
      output,
      cacheRead: countOf(tokens['cached']) ?? 0,
      model: textOf(record['model']),
    };
    return [this.make.tokens(id, timeNs, used)];
  }
}

function outcomeOf(status: unknown, exitCode: number | undefined): ToolOutcome {
  if (status === 'cancelled') return 'denied';
  return status === 'error' || (exitCode ?? 0) !== 0 ? 'failed' : 'ok';
}
