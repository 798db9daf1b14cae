import { stringifyExactJson } from '../../base/exactJson.ts';
import { fieldsOf, listOf, textOf, timeNsOf, type Fields } from '../common/untrusted.ts';
import { keptAncestor } from './keptAncestor.ts';
import { movedValue } from './movedText.ts';
import { timedRecords, type TimedRecord } from './timedRecords.ts';
import type { RecordedCall } from '../common/trimming/recordedCall.ts';
import type { TrimmedSession, TrimRequest } from '../common/trimming/trim.ts';

const RESULT = 'tool.execution_complete';
/** Events to leave out: hooks belong to the old launch, and an open question is not asked again. */
const LEFT_OUT = /^(?:hook\.|permission\.)/;

/**
 * Trims Copilot CLI's events, each linked to its parent. An answer lists its calls; their results
 * are separate events.
 */
export function trimCopilot(request: TrimRequest): TrimmedSession {
  const records = timedRecords(request, ({ timestamp }) => timeNsOf(timestamp));
  const inTime = records.filter(({ isInTime }) => isInTime).map(({ fields }) => fields);
  const called = new Map(inTime.flatMap(callsOf).map((call) => [call.callId, call]));
  const results = resultsInTime(records, called, request);
  const seen = new Set<string>();
  const kept = records.flatMap(({ fields, isInTime }) => {
    // Skips repeated events.
    if (seen.has(idOf(fields))) return [];
    seen.add(idOf(fields));
    const type = textOf(fields['type']) ?? '';
    if (type === RESULT) return results.get(callIdOf(fields)) === fields ? [fields] : [];
    if (!isInTime || LEFT_OUT.test(type)) return [];
    if (type.startsWith('tool.')) return results.has(callIdOf(fields)) ? [fields] : [];
    return type === 'assistant.message' ? withoutOpenCalls(fields, results) : [fields];
  });
  const parents = new Map(records.map(({ fields }) => [idOf(fields), textOf(fields['parentId'])]));
  const ids = new Set(kept.map(idOf));
  const fromSession = sessionOf(kept);
  const moved = (text: string): string =>
    text === fromSession ? request.session : request.moved(text);
  const calls = [...called.values()];
  return {
    lines: kept.map((fields) => {
      const parentId =
        keptAncestor(textOf(fields['parentId']), (id) => parents.get(id), ids) ?? null;
      return stringifyExactJson(movedValue({ ...fields, parentId }, moved));
    }),
    fromSession,
    prompts: kept.filter(({ type }) => type === 'user.message').length,
    calls: calls.filter(({ callId }) => results.has(callId)),
    openCalls: calls.filter(({ callId }) => !results.has(callId)),
  };
}

function resultsInTime(
  records: readonly TimedRecord[],
  called: ReadonlyMap<string, RecordedCall>,
  request: TrimRequest,
): Map<string, Fields> {
  const isFinished = request.results.inOrder();
  const finished = new Set([...called.values()].filter(isFinished).map(({ callId }) => callId));
  const results = new Map<string, Fields>();
  for (const { fields, isInTime } of records) {
    const callId = callIdOf(fields);
    if (fields['type'] !== RESULT || !called.has(callId) || results.has(callId)) continue;
    if (isInTime || finished.has(callId)) results.set(callId, fields);
  }
  return results;
}

function callsOf({ type, data }: Fields): RecordedCall[] {
  if (type !== 'assistant.message') return [];
  const calls = listOf(fieldsOf(data)['toolRequests']).map((request) => ({
    callId: textOf(request['toolCallId']) ?? '',
    tool: textOf(request['name']) ?? '',
    input: request['arguments'] ?? null,
  }));
  return calls.filter(({ callId }) => callId !== '');
}

function withoutOpenCalls(fields: Fields, results: ReadonlyMap<string, unknown>): Fields[] {
  const data = fieldsOf(fields['data']);
  const requests = listOf(data['toolRequests']);
  const toolRequests = requests.filter(({ toolCallId }) => results.has(textOf(toolCallId) ?? ''));
  if (toolRequests.length === requests.length) return [fields];
  if (toolRequests.length === 0 && textOf(data['content']) === undefined) return [];
  return [{ ...fields, data: { ...data, toolRequests } }];
}

function callIdOf({ data }: Fields): string {
  return textOf(fieldsOf(data)['toolCallId']) ?? '';
}

function idOf({ id }: Fields): string {
  return textOf(id) ?? '';
}

function sessionOf(records: readonly Fields[]): string | undefined {
  const start = records.find(({ type }) => type === 'session.start');
  return textOf(fieldsOf(start?.['data'])['sessionId']);
}
