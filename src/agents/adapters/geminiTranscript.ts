import type { TranscriptParser } from '../common/adapter.ts';
import type { AgentEvent, ToolOutcome } from '../common/events.ts';
import {
  countOf,
  fieldsOf,
  isFields,
  joinedText,
  listOf,
  parseFields,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import { SeenSet } from '../common/seenSet.ts';
import { changedFiles, EventBuilder } from './eventBuilder.ts';
import { resultText } from './resultText.ts';

const CONTEXT = '<session_context>';
const CANCELLED = /^Request cancelled/i;

/**
 * `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`: a message comes again with the same id when more is known of
 * it, and `$set` may bring all messages anew.
 */
export class GeminiTranscript implements TranscriptParser {
  readonly #make: EventBuilder;
  readonly #told = new SeenSet();

  constructor(agent: string) {
    this.#make = new EventBuilder(agent, 'transcript');
  }

  push(line: string, seenNs: bigint): AgentEvent[] {
    const record = parseFields(line);
    if (!record) return this.#make.unreadable(seenNs, line);
    return this.#record(record, seenNs).filter(({ id }) => this.#told.add(id));
  }

  #record(record: Fields, seenNs: bigint): AgentEvent[] {
    const session = textOf(record['sessionId']);
    if (session !== undefined && textOf(record['startTime']) !== undefined) {
      this.#make.session ??= session;
      return [this.#make.started(timeNsOf(record['startTime']) ?? seenNs, 'startup', {})];
    }
    const changes = record['$set'];
    if (isFields(changes)) {
      return listOf(changes['messages']).flatMap((message) => this.#message(message, seenNs));
    }
    return this.#message(record, seenNs);
  }

  #message(record: Fields, seenNs: bigint): AgentEvent[] {
    const timeNs = timeNsOf(record['timestamp']) ?? seenNs;
    const id = textOf(record['id']) ?? String(timeNs);
    const text = joinedText(record['content']);
    switch (textOf(record['type']) ?? '') {
      case 'user':
        // The rest are results of tools, which the message that called them has as well.
        return text === '' || text.startsWith(CONTEXT) ? [] : [this.#make.prompt(id, timeNs, text)];
      case 'gemini':
        return [
          ...(text === '' ? [] : [this.#make.message(id, timeNs, text)]),
          ...this.#tokens(record, id, timeNs),
          ...listOf(record['toolCalls']).flatMap((call) => this.#call(call, timeNs)),
        ];
      case 'error':
        return [this.#make.event(`error/${id}`, timeNs, { kind: 'error', message: text })];
      case 'info':
      case 'warning':
        return CANCELLED.test(text) ? [this.#cancelled(id, timeNs)] : [];
      default:
        return [this.#make.unknown(timeNs, textOf(record['type']) ?? 'record', record)];
    }
  }

  #cancelled(id: string, timeNs: bigint): AgentEvent {
    const fields = { kind: 'turn.completed', outcome: 'interrupted' } as const;
    return this.#make.event(`turn/${id}`, timeNs, fields);
  }

  /** Written down when it is over: the call and its result at once. */
  #call(call: Fields, messageNs: bigint): AgentEvent[] {
    const callId = textOf(call['id']) ?? '';
    const tool = textOf(call['name']) ?? '';
    const input = call['args'] ?? null;
    const called = this.#make.called(callId, messageNs, callId, tool, input);
    const status = textOf(call['status']);
    if (status !== 'success' && status !== 'error' && status !== 'cancelled') return [called];
    const response = fieldsOf(
      fieldsOf(listOf(call['result'])[0]?.['functionResponse'])['response'],
    );
    const output = textOf(response['error']) ?? resultText(response);
    const exit = /^Exit Code: (\d+)$/m.exec(output);
    const exitCode = exit ? Number(exit[1]) : undefined;
    const outcome = outcomeOf(status, exitCode);
    const files = changedFiles(tool, input, outcome);
    const timeNs = timeNsOf(call['timestamp']) ?? messageNs;
    const done = { tool, outcome, output, exitCode, files };
    return [called, this.#make.finished(callId, timeNs, callId, done)];
  }

  #tokens(record: Fields, id: string, timeNs: bigint): AgentEvent[] {
    const tokens = fieldsOf(record['tokens']);
    const output = countOf(tokens['output']);
    if (output === undefined) return [];
    const used = {
      ...{ input: countOf(tokens['input']) ?? 0, output },
      cacheRead: countOf(tokens['cached']) ?? 0,
      model: textOf(record['model']),
    };
    return [this.#make.tokens(id, timeNs, used)];
  }
}

function outcomeOf(status: string, exitCode: number | undefined): ToolOutcome {
  if (status === 'cancelled') return 'denied';
  return status === 'error' || (exitCode ?? 0) !== 0 ? 'failed' : 'ok';
}
