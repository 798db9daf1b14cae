import type { ExactValue } from '../../../base/exactJson.ts';
import { isFields, joinedText, listOf, textOf, type Fields } from '../untrusted.ts';
import type { RecordedCall } from '../trimming/recordedCall.ts';

/** The start of the user message in which the agent describes its environment. */
const CONTEXT = '<session_context>';
const FINISHED = new Set(['success', 'error', 'cancelled']);

/** Whether a record is the head of a session, with its ID and start time. */
export function isGeminiHead(record: Fields): boolean {
  return record['startTime'] !== undefined && record['type'] === undefined;
}

/** The changes of a `$set` record, which may replace all messages; undefined for other records. */
export function geminiChanges(record: Fields): Fields | undefined {
  const changes = record['$set'];
  return isFields(changes) ? changes : undefined;
}

/** Whether a message is a prompt, and not the agent's context or the results of tools. */
export function isGeminiPrompt({ type, content }: Fields): boolean {
  const text = joinedText(content);
  return type === 'user' && text !== '' && !text.startsWith(CONTEXT);
}

/** A tool call of a message. */
export function geminiCall({ id, name, args }: Fields): RecordedCall {
  return { callId: textOf(id) ?? '', tool: textOf(name) ?? '', input: args ?? null };
}

export function isGeminiCallFinished({ status }: Fields): boolean {
  return FINISHED.has(textOf(status) ?? '');
}

/** The responses of tools among the parts of a message or a result. */
export function functionResponses(parts: ExactValue): ExactValue[] {
  return listOf(parts).flatMap(({ functionResponse }) => functionResponse ?? []);
}

/** The exit code at the end of a shell tool's output. */
export const GEMINI_EXIT_CODE = /^Exit Code: (\d+)$/m;
