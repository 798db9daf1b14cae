import { stringifyExactJson } from '../../base/exactJson.ts';
import { codexCallInput } from '../common/records/codexRecords.ts';
import { fieldsOf, textOf, timeNsOf, type Fields } from '../common/untrusted.ts';
import { movedValue } from './movedText.ts';
import { timedRecords } from './timedRecords.ts';
import type { RecordedCall } from '../common/trimming/recordedCall.ts';
import type { TrimmedSession, TrimRequest } from '../common/trimming/trim.ts';

const CALL_TYPES = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);
/** Items that report a finished call. */
const DONE_ITEMS = new Set(['CommandExecution', 'FileChange', 'McpToolCall', 'WebSearch']);
/**
 * Fields with which a fork refers to its parent's file. They are removed, since the trimmed copy
 * has all lines itself.
 */
const FORK_FIELDS = ['forked_from_id', 'forked_from_ordinal_exclusive', 'history_base'];

interface Entry {
  readonly fields: Fields;
  readonly payload: Fields;
  readonly isInTime: boolean;
}

/**
 * Trims Codex's records. They have no links to each other, except that an output has the ID of its
 * call.
 */
export function trimCodex(request: TrimRequest): TrimmedSession {
  const entries = timedRecords(request, ({ timestamp }) => timeNsOf(timestamp)).map((record) => ({
    ...record,
    payload: fieldsOf(record.fields['payload']),
  }));
  const calls = new Map(entries.filter(({ isInTime }) => isInTime).flatMap(callOf));
  const first = new Map(
    entries
      .filter((entry) => entry.isInTime && isCall(entry))
      .reverse()
      .map((entry) => [callIdOf(entry), entry]),
  );
  const outputs = outputsInTime(entries, calls, request);
  const kept = withoutBareThoughts(
    entries.filter((entry) => {
      const callId = callIdOf(entry);
      if (isCall(entry)) return first.get(callId) === entry && outputs.has(callId);
      if (isOutput(entry)) return outputs.get(callId) === entry;
      return entry.isInTime;
    }),
    new Set(entries.filter(isCall)),
    entries,
  );
  const fromSession = sessionOf(kept);
  const moved = (text: string): string =>
    text === fromSession ? request.session : request.moved(text);
  const all = [...calls.values()];
  return {
    lines: withHead(kept).map(({ fields }, ordinal) =>
      stringifyExactJson(movedValue({ ...fields, ordinal }, moved)),
    ),
    fromSession,
    prompts: kept.filter(isPrompt).length,
    calls: all.filter(({ callId }) => outputs.has(callId)),
    openCalls: all.filter(({ callId }) => !outputs.has(callId)),
  };
}

/**
 * The outputs that existed at the moment. Newer models call tools from a script, whose own output
 * may be recorded late: a script counts as finished if all its calls were finished.
 */
function outputsInTime(
  entries: readonly Entry[],
  calls: ReadonlyMap<string, RecordedCall>,
  { results }: TrimRequest,
): Map<string, Entry> {
  const outputs = new Map<string, Entry>();
  const isFinished = results.inOrder();
  // Passes all calls in order, since the predicate counts them.
  const finished = new Set([...calls.values()].filter(isFinished).map(({ callId }) => callId));
  let isItemFinished: boolean[] = [];
  for (const entry of entries) {
    const callId = callIdOf(entry);
    if (isCall(entry)) isItemFinished = [];
    const item = fieldsOf(entry.payload['item']);
    if (DONE_ITEMS.has(textOf(item['type']) ?? '')) {
      isItemFinished.push(entry.isInTime || results.has(textOf(item['id']) ?? ''));
    }
    if (!isOutput(entry) || !calls.has(callId) || outputs.has(callId)) continue;
    const isScriptFinished = isItemFinished.length > 0 && isItemFinished.every(Boolean);
    if (entry.isInTime || finished.has(callId) || isScriptFinished) outputs.set(callId, entry);
  }
  return outputs;
}

function callIdOf({ payload }: Entry): string {
  return textOf(payload['call_id']) ?? '';
}

function isCall({ fields, payload }: Entry): boolean {
  return fields['type'] === 'response_item' && CALL_TYPES.has(textOf(payload['type']) ?? '');
}

function isOutput({ fields, payload }: Entry): boolean {
  return (
    fields['type'] === 'response_item' && textOf(payload['type'])?.endsWith('_output') === true
  );
}

function callOf(entry: Entry): [string, RecordedCall][] {
  const callId = callIdOf(entry);
  if (!isCall(entry) || callId === '') return [];
  const tool = textOf(entry.payload['name']) ?? '';
  return [[callId, { callId, tool, input: codexCallInput(entry.payload) }]];
}

/** Removes thoughts whose call or message was removed: the model's API rejects such thoughts. */
function withoutBareThoughts(
  kept: readonly Entry[],
  calls: ReadonlySet<Entry>,
  entries: readonly Entry[],
): Entry[] {
  const isKept = new Set(kept);
  const isThought = ({ fields, payload }: Entry): boolean =>
    fields['type'] === 'response_item' && payload['type'] === 'reasoning';
  return kept.filter((entry) => {
    if (!isThought(entry)) return true;
    const next = entries
      .slice(entries.indexOf(entry) + 1)
      .find((other) => other.fields['type'] === 'response_item' && !isThought(other));
    if (next === undefined) return false;
    return isKept.has(next) && (calls.has(next) || next.payload['role'] === 'assistant');
  });
}

function sessionOf(entries: readonly Entry[]): string | undefined {
  const head = entries.find(({ fields }) => fields['type'] === 'session_meta')?.payload;
  return textOf(head?.['id']) ?? textOf(head?.['session_id']);
}

/** Keeps exactly one `session_meta` record, without references to a parent session. */
function withHead(entries: readonly Entry[]): Entry[] {
  const head = entries.find(({ fields }) => fields['type'] === 'session_meta');
  if (!head) return [...entries];
  const payload = Object.fromEntries(
    Object.entries(head.payload).filter(([name]) => !FORK_FIELDS.includes(name)),
  );
  const whole = { ...head, payload, fields: { ...head.fields, payload } };
  return [whole, ...entries.filter(({ fields }) => fields['type'] !== 'session_meta')];
}

function isPrompt({ fields, payload }: Entry): boolean {
  if (fields['type'] !== 'event_msg') return false;
  const item = fieldsOf(payload['item']);
  return item['type'] === 'UserMessage' || payload['type'] === 'user_message';
}
