import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import {
  isFields,
  joinedText,
  listOf,
  parseFields,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import { movedValue } from './movedText.ts';
import type { TrimmedCall, TrimmedSession, TrimRequest } from './trim.ts';

const CONTEXT = '<session_context>';
const FINISHED = new Set(['success', 'error', 'cancelled']);

/**
 * Gemini CLI: a message comes again with the same id when more is known of it, `$set` may replace all of them, `$rewindTo`
 * takes back one and what follows. The copy has each message once, as it was.
 */
export function trimGemini(request: TrimRequest): TrimmedSession {
  const { head, messages } = conversationOf(request);
  const isOver = request.results.inOrder();
  const calls: TrimmedCall[] = [];
  const openCalls: TrimmedCall[] = [];
  const kept = messages.flatMap((message) => {
    // On a resume the agent sends the results that are with the calls; these would be a second time the same.
    if (hasResponses(message)) return [];
    if (message['toolCalls'] === undefined) return [message];
    const toolCalls = listOf(message['toolCalls']).filter((call) => {
      const { id, name, args } = call;
      const told = { callId: textOf(id) ?? '', tool: textOf(name) ?? '', input: args ?? null };
      const isKnown = isOver(told.callId, told.tool, told.input);
      const isKept = told.callId !== '' && hasResult(call) && (isKnown || isInTime(call, request));
      (isKept ? calls : openCalls).push(told);
      return isKept;
    });
    if (toolCalls.length === 0 && joinedText(message['content']) === '') return [];
    return [{ ...message, toolCalls }];
  });
  const records = [{ ...head, sessionId: request.session }, ...kept];
  return {
    lines: records.map((record) => stringifyExactJson(movedValue(record, request.moved))),
    fromSession: textOf(head['sessionId']),
    prompts: kept.filter(isPrompt).length,
    calls,
    openCalls,
  };
}

function conversationOf(request: TrimRequest): { head: Fields; messages: readonly Fields[] } {
  let head: Fields = {};
  const messages = new Map<string, Fields>();
  for (const [index, line] of request.lines.entries()) {
    const record = parseFields(line);
    if (!record) continue;
    const isCertain = index < request.certainLines;
    const changes = record['$set'];
    const rewound = textOf(record['$rewindTo']);
    if (isFields(changes)) {
      if (!isCertain && isLate(changes['lastUpdated'], request)) continue;
      if (!Array.isArray(changes['messages'])) continue;
      messages.clear();
      for (const message of listOf(changes['messages'])) put(messages, message);
    } else if (rewound !== undefined) {
      const ids = [...messages.keys()];
      const from = Math.max(0, ids.indexOf(rewound));
      // It has no time: what came with it has.
      if (isCertain || hasNothingLate(request, index))
        ids.slice(from).forEach((id) => messages.delete(id));
    } else if (record['startTime'] !== undefined && record['type'] === undefined) {
      head = { ...record, ...head };
    } else if (isCertain || !isLate(record['timestamp'], request)) put(messages, record);
  }
  return { head, messages: [...messages.values()] };
}

function put(messages: Map<string, Fields>, message: Fields): void {
  const id = textOf(message['id']);
  if (id !== undefined) messages.set(id, message);
}

function isLate(time: ExactValue, { untilNs }: TrimRequest): boolean {
  return (timeNsOf(time) ?? 0n) > untilNs;
}

/** Whether the next record that says its time is one of the moment. */
function hasNothingLate(request: TrimRequest, index: number): boolean {
  for (const line of request.lines.slice(index + 1)) {
    const record = parseFields(line);
    const time = record?.['timestamp'];
    if (time !== undefined) return !isLate(time, request);
  }
  return true;
}

function isInTime(call: Fields, request: TrimRequest): boolean {
  return call['timestamp'] !== undefined && !isLate(call['timestamp'], request);
}

function hasResult({ status, result }: Fields): boolean {
  const responses = listOf(result).filter((part) => part['functionResponse'] !== undefined);
  return FINISHED.has(textOf(status) ?? '') && responses.length > 0;
}

function hasResponses({ content }: Fields): boolean {
  return listOf(content).some((part) => part['functionResponse'] !== undefined);
}

function isPrompt({ type, content }: Fields): boolean {
  const text = joinedText(content);
  return type === 'user' && text !== '' && !text.startsWith(CONTEXT);
}
