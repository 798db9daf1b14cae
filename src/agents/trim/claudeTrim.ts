import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import {
  fieldsOf,
  joinedText,
  listOf,
  textOf,
  timeNsOf,
  type Fields,
} from '../common/untrusted.ts';
import { keptAncestor } from './keptAncestor.ts';
import { movedValue } from './movedText.ts';
import { timedRecords } from './timedRecords.ts';
import type { RecordedCall } from '../common/trimming/recordedCall.ts';
import type { TrimmedSession, TrimRequest } from '../common/trimming/trim.ts';

/** Types of records that belong to the conversation. */
const KEPT_TYPES = new Set(['user', 'assistant', 'attachment', 'system']);
/** Blocks with the model's thoughts: an answer must contain other blocks, too. */
const THOUGHTS = new Set(['thinking', 'redacted_thinking']);

interface Node {
  readonly uuid: string;
  readonly parent: string | undefined;
  readonly fields: Fields;
  readonly index: number;
}

/**
 * Trims Claude Code's records. Each has one content block and a link to its parent. The
 * conversation is the path of links to the last record; results of parallel calls branch off from
 * that path.
 */
export function trimClaude(request: TrimRequest): TrimmedSession {
  const records = timedRecords(request, ({ timestamp }) => timeNsOf(timestamp));
  const isFinished = request.results.inOrder();
  const nodes = new Map<string, Node>();
  const finished = new Set<string>();
  let leaf: Node | undefined;
  for (const [index, { fields, isInTime }] of records.entries()) {
    for (const call of isInTime ? callsOf(fields) : []) {
      if (isFinished(call)) finished.add(call.callId);
    }
    const uuid = textOf(fields['uuid']);
    if (uuid === undefined || fields['isSidechain'] === true) continue;
    if (!isInTime && !resultsOf(fields).some((callId) => finished.has(callId))) continue;
    const node = { uuid, parent: textOf(fields['parentUuid']), fields, index };
    nodes.set(uuid, node);
    if (KEPT_TYPES.has(textOf(fields['type']) ?? '')) leaf = node;
  }
  return conversation(request, nodes, leaf);
}

function conversation(
  request: TrimRequest,
  nodes: ReadonlyMap<string, Node>,
  leaf: Node | undefined,
): TrimmedSession {
  const path = new Set<Node>();
  for (let node = leaf; node && !path.has(node); node = nodes.get(node.parent ?? ''))
    path.add(node);
  const chain = [...path].reverse().flatMap(({ fields }) => callsOf(fields));
  const called = new Map(chain.map((call) => [call.callId, call]));
  for (const node of nodes.values()) {
    if (resultsOf(node.fields).some((callId) => called.has(callId))) path.add(node);
  }
  const inOrder = [...path].sort((a, b) => a.index - b.index);
  const results = inOrder.flatMap(({ fields }) => resultsOf(fields));
  const answered = new Set(results.filter((callId) => called.has(callId)));
  const complete = withoutBareThoughts(
    inOrder.flatMap((node) => {
      const fields = withoutOpenCalls(node.fields, answered);
      return fields ? [{ ...node, fields }] : [];
    }),
  );
  const kept = new Set(complete.map(({ uuid }) => uuid));
  const lines = complete.map(({ fields, parent }) =>
    stringifyExactJson(
      movedValue(
        {
          ...fields,
          parentUuid: keptAncestor(parent, (uuid) => nodes.get(uuid)?.parent, kept) ?? null,
          sessionId: request.session,
        },
        request.moved,
      ),
    ),
  );
  const messages = complete.filter(
    ({ fields: { type } }) => type === 'user' || type === 'assistant',
  );
  const calls = [...called.values()];
  return {
    lines,
    fromSession: textOf(leaf?.fields['sessionId']),
    prompts: messages.filter(({ fields }) => isPrompt(fields)).length,
    calls: calls.filter(({ callId }) => answered.has(callId)),
    openCalls: calls.filter(({ callId }) => !answered.has(callId)),
    lastRecord: messages.at(-1)?.uuid,
  };
}

function blocksOf(fields: Fields): readonly Fields[] {
  return listOf(fieldsOf(fields['message'])['content']);
}

function callsOf(fields: Fields): RecordedCall[] {
  if (fields['type'] !== 'assistant') return [];
  return blocksOf(fields)
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({
      callId: textOf(id) ?? '',
      tool: textOf(name) ?? '',
      input: input ?? null,
    }))
    .filter(({ callId }) => callId !== '');
}

function resultsOf(fields: Fields): string[] {
  if (fields['type'] !== 'user') return [];
  return blocksOf(fields)
    .filter(({ type }) => type === 'tool_result')
    .flatMap((block) => textOf(block['tool_use_id']) ?? []);
}

function isPrompt(fields: Fields): boolean {
  if (fields['type'] !== 'user' || fields['isMeta'] === true) return false;
  return (
    resultsOf(fields).length === 0 && joinedText(fieldsOf(fields['message'])['content']) !== ''
  );
}

/** Removes calls without results and results without calls; undefined when no content remains. */
function withoutOpenCalls(fields: Fields, answered: ReadonlySet<string>): Fields | undefined {
  const message = fieldsOf(fields['message']);
  if (!Array.isArray(message['content'])) return fields;
  const content = message['content'].filter((block: ExactValue) => {
    const { type, id, tool_use_id } = fieldsOf(block);
    if (type === 'tool_use')
      return fields['type'] === 'assistant' && answered.has(textOf(id) ?? '');
    if (type !== 'tool_result') return true;
    return fields['type'] === 'user' && answered.has(textOf(tool_use_id) ?? '');
  });
  if (content.length === message['content'].length) return fields;
  return content.length === 0 ? undefined : { ...fields, message: { ...message, content } };
}

/**
 * Removes answers that have only thoughts. An answer has several records with the same message ID.
 */
function withoutBareThoughts(nodes: readonly Node[]): Node[] {
  const withContent = new Set<ExactValue>();
  const isThought = ({ type }: Fields): boolean => THOUGHTS.has(textOf(type) ?? '');
  const idOf = ({ fields, uuid }: Node): ExactValue => fieldsOf(fields['message'])['id'] ?? uuid;
  for (const node of nodes) {
    const blocks = blocksOf(node.fields);
    if (blocks.length === 0 || !blocks.every(isThought)) withContent.add(idOf(node));
  }
  return nodes.filter((node) => node.fields['type'] !== 'assistant' || withContent.has(idOf(node)));
}
