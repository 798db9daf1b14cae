import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import {
  joinedText,
  listOf,
  parseFields,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import {
  functionResponses,
  geminiCall,
  geminiChanges,
  isGeminiCallFinished,
  isGeminiHead,
  isGeminiPrompt,
} from '../common/records/geminiRecords.ts';
import { movedValue } from './movedText.ts';
import type { RecordedCall } from '../common/trimming/recordedCall.ts';
import type { TrimmedSession, TrimRequest } from '../common/trimming/trim.ts';

/**
 * Trims Gemini CLI's records: a message with a known ID replaces the earlier one, `$set` may
 * replace all messages, and `$rewindTo` removes a message and those after it. The copy has each
 * message once.
 */
export function trimGemini(request: TrimRequest): TrimmedSession {
  const { head, messages } = conversationOf(request);
  const isFinished = request.results.inOrder();
  const calls: RecordedCall[] = [];
  const openCalls: RecordedCall[] = [];
  const kept = messages.flatMap((message) => {
    // A resumed agent sends the results that are in the calls; messages with results would repeat
    // them.
    if (functionResponses(message['content']).length > 0) return [];
    if (message['toolCalls'] === undefined) return [message];
    const toolCalls = listOf(message['toolCalls']).filter((call) => {
      const recorded = geminiCall(call);
      // `isFinished` must get every call, since it counts them.
      const wasFinished = isFinished(recorded) || isInTime(call, request);
      const isKept = recorded.callId !== '' && hasResult(call) && wasFinished;
      (isKept ? calls : openCalls).push(recorded);
      return isKept;
    });
    if (toolCalls.length === 0 && joinedText(message['content']) === '') return [];
    return [{ ...message, toolCalls }];
  });
  const records = [{ ...head, sessionId: request.session }, ...kept];
  return {
    lines: records.map((record) => stringifyExactJson(movedValue(record, request.moved))),
    fromSession: textOf(head['sessionId']),
    prompts: kept.filter(isGeminiPrompt).length,
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
    const changes = geminiChanges(record);
    const rewound = textOf(record['$rewindTo']);
    if (changes) {
      if (!isCertain && isLate(changes['lastUpdated'], request)) continue;
      if (!Array.isArray(changes['messages'])) continue;
      messages.clear();
      for (const message of listOf(changes['messages'])) put(messages, message);
    } else if (rewound !== undefined) {
      const ids = [...messages.keys()];
      const from = Math.max(0, ids.indexOf(rewound));
      // A rewind has no time of its own, so the time of the next record decides.
      if (isCertain || hasNothingLate(request, index))
        ids.slice(from).forEach((id) => messages.delete(id));
    } else if (isGeminiHead(record)) {
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

/** Whether the next record with a time existed at the moment. */
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

function hasResult(call: Fields): boolean {
  return isGeminiCallFinished(call) && functionResponses(call['result']).length > 0;
}
