import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import {
  countOf,
  fieldsOf,
  parseFields,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import { movedValue } from './movedText.ts';
import type { RecordedCall } from '../common/trimming/recordedCall.ts';
import type { TrimmedSession, TrimRequest } from '../common/trimming/trim.ts';

/** An ID has a kind, a sortable time and this many random characters. */
const RANDOM_LETTERS = 14;
const TIMED_ID = new RegExp(`^((?:msg|prt)_.+).{${RANDOM_LETTERS}}$`);

interface Row {
  readonly id: string;
  readonly session: string;
  readonly message: string;
  readonly data: Fields;
}

interface Tables {
  readonly sessions: ReadonlyMap<string, Row>;
  readonly messages: readonly Row[];
  readonly parts: readonly Row[];
}

/**
 * Trims rows of opencode's database, in which a later row replaces an earlier one with the same ID.
 * The result is one line, the document that `opencode import` reads. All its IDs are new, since the
 * import skips existing ones.
 */
export function trimOpencode(request: TrimRequest): TrimmedSession {
  const tables = tablesOf(request.lines);
  const fromSession = mainSession(tables, request);
  const isFinished = request.results.inOrder();
  const calls: RecordedCall[] = [];
  const openCalls: RecordedCall[] = [];
  const keep = (part: Fields): boolean => {
    if (part['type'] !== 'tool') return isTextInTime(part, request);
    const { callID, tool } = part;
    const state = fieldsOf(part['state']);
    const input = state['input'] ?? null;
    const call = { callId: textOf(callID) ?? '', tool: textOf(tool) ?? '', input };
    // `isFinished` must get every call, since it counts them.
    const wasFinished = isFinished(call) || isBefore(fieldsOf(state['time'])['end'], request);
    const isKept = hasResult(state) && wasFinished;
    (isKept ? calls : openCalls).push(call);
    return isKept;
  };
  const ids = new Map<string, string>();
  const messages = tables.messages
    .filter(
      ({ session, data }) =>
        session === fromSession && isBefore(fieldsOf(data['time'])['created'], request),
    )
    .flatMap((message) => {
      const parts = partsOf(tables, message).filter(({ data }) => keep(data));
      // Leaves out an answer that had no content at the moment.
      if (!parts.some(({ data }) => isContent(data))) return [];
      return [{ message, parts }];
    });
  for (const { message, parts } of messages) {
    for (const { id } of [message, ...parts]) ids.set(id, renewed(id, request));
  }
  const renamed = (value: ExactValue): ExactValue => {
    const id = (text: string): string => {
      if (text === fromSession) return request.session;
      return ids.get(text) ?? request.moved(text);
    };
    return movedValue(value, id);
  };
  const document = {
    info: sessionInfo(tables.sessions.get(fromSession ?? '')?.data ?? {}, request),
    messages: messages.map(({ message, parts }) => ({
      info: messageInfo(message, parts),
      parts: parts.map(({ data, id, message: messageID, session: sessionID }) => ({
        ...data,
        id,
        sessionID,
        messageID,
      })),
    })),
  };
  const prompts = messages.filter(({ message }) => message.data['role'] === 'user').length;
  const lines = messages.length === 0 ? [] : [stringifyExactJson(renamed(document))];
  return { lines, fromSession, prompts, calls, openCalls };
}

function tablesOf(lines: readonly string[]): Tables {
  const found = new Map<string, Map<string, Row>>();
  for (const line of lines) {
    const fields = parseFields(line);
    const id = textOf(fields?.['id']);
    const table = textOf(fields?.['table']);
    if (!fields || id === undefined || table === undefined) continue;
    const rows = found.get(table) ?? new Map<string, Row>();
    const { session_id, message_id, data } = fields;
    rows.set(id, {
      id,
      session: textOf(session_id) ?? id,
      message: textOf(message_id) ?? '',
      data: fieldsOf(data),
    });
    found.set(table, rows);
  }
  const sorted = (table: string): Row[] =>
    [...(found.get(table)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  const sessions = found.get('session') ?? new Map<string, Row>();
  return { sessions, messages: sorted('message'), parts: sorted('part') };
}

/** The session used last, except sessions of subagents, which have a parent. */
function mainSession({ sessions, messages }: Tables, request: TrimRequest): string | undefined {
  return messages.findLast(
    ({ session, data }) =>
      isBefore(fieldsOf(data['time'])['created'], request) &&
      textOf(sessions.get(session)?.data['parent_id']) === undefined,
  )?.session;
}

function partsOf({ parts }: Tables, { id }: Row): Row[] {
  return parts.filter(({ message }) => message === id);
}

function isBefore(time: ExactValue, { untilNs }: TrimRequest): boolean {
  const timeNs = timeNsOf(time);
  return timeNs !== undefined && timeNs <= untilNs;
}

/** A prompt has no time; a text of the model is complete when it has an end time. */
function isTextInTime({ type, time }: Fields, request: TrimRequest): boolean {
  if (type !== 'text' && type !== 'reasoning') return true;
  return time === undefined || isBefore(fieldsOf(time)['end'], request);
}

function hasResult({ status }: Fields): boolean {
  return status === 'completed' || status === 'error';
}

function isContent({ type }: Fields): boolean {
  return type === 'text' || type === 'tool' || type === 'file' || type === 'compaction';
}

function renewed(id: string, { randomText }: TrimRequest): string {
  return id.replace(TIMED_ID, (_, kept: string) => kept + randomText(RANDOM_LETTERS));
}

function messageInfo({ id, session, data }: Row, parts: readonly Row[]): Fields {
  // A turn's summary lists the changes until the end of the turn, which may be after the moment.
  const { summary, ...rest } = data;
  const isSummary = summary === true;
  const hasTools = parts.some((part) => part.data['type'] === 'tool');
  const finish = hasTools ? 'tool-calls' : data['finish'];
  return { ...rest, ...(isSummary && { summary }), finish, id, sessionID: session };
}

function sessionInfo(columns: Fields, { session }: TrimRequest): Fields {
  const { slug, project_id, directory, path, title, version, permission, agent, model } = columns;
  const created = countOf(columns['time_created']) ?? 0;
  return {
    id: session,
    slug,
    projectID: project_id,
    directory,
    path,
    title,
    version,
    agent,
    model: parsed(model),
    permission: parsed(permission),
    time: { created, updated: countOf(columns['time_updated']) ?? created },
  };
}

/** Parses a column that contains JSON. */
function parsed(value: ExactValue): ExactValue {
  if (typeof value !== 'string') return undefined;
  return fieldsOf(parseFields(`{"value":${value}}`))['value'];
}
