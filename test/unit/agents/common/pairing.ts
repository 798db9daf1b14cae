import {
  fieldsOf,
  joinedText,
  listOf,
  parseFields,
  textOf,
  type Fields,
} from '../../../../src/agents/common/untrusted.ts';

export interface Pairing {
  /** The texts of the conversation, in order. */
  readonly said: string[];
  /** Sorted IDs: a provider requires each call to have exactly one result. */
  readonly calls: string[];
  readonly results: string[];
}

/**
 * Reads a session like its agent, to send it to a provider. Independent of the tested code.
 */
export function pairing(agent: string, lines: readonly string[]): Pairing {
  const records = lines.map((line) => parseFields(line) ?? {});
  const found = { said: [] as string[], calls: [] as string[], results: [] as string[] };
  for (const record of records) READERS[agent]!(record, found);
  return { said: found.said, calls: found.calls.sort(), results: found.results.sort() };
}

const idOf = (value: unknown): string => textOf(value) ?? '(none)';

const READERS: Readonly<Record<string, (record: Fields, found: Pairing) => void>> = {
  claudeCode: (record, { said, calls, results }) => {
    const { content } = fieldsOf(record['message']);
    if (typeof content === 'string') said.push(content);
    for (const block of listOf(content)) {
      if (block['type'] === 'text') said.push(textOf(block['text']) ?? '');
      if (block['type'] === 'tool_use') calls.push(idOf(block['id']));
      if (block['type'] === 'tool_result') results.push(idOf(block['tool_use_id']));
    }
  },
  codex: ({ type, payload }, { said, calls, results }) => {
    const item = fieldsOf(payload);
    if (type !== 'response_item') return;
    const kind = textOf(item['type']) ?? '';
    if (kind === 'message') said.push(joinedText(item['content']));
    if (/^(?:function_call|custom_tool_call|local_shell_call)$/.test(kind))
      calls.push(idOf(item['call_id']));
    if (kind.endsWith('_output')) results.push(idOf(item['call_id']));
  },
  gemini: ({ type, content, toolCalls }, { said, calls, results }) => {
    if (type === 'user' || type === 'gemini') said.push(joinedText(content));
    for (const call of listOf(toolCalls)) {
      calls.push(idOf(call['id']));
      for (const part of listOf(call['result'])) {
        if (part['functionResponse'] !== undefined) results.push(idOf(call['id']));
      }
    }
    for (const part of listOf(content)) {
      if (part['functionResponse'] !== undefined) results.push('(a second time)');
    }
  },
  opencode: ({ messages }, { said, calls, results }) => {
    for (const part of listOf(messages).flatMap((message) => listOf(message['parts']))) {
      if (part['type'] === 'text') said.push(textOf(part['text']) ?? '');
      if (part['type'] !== 'tool') continue;
      calls.push(idOf(part['callID']));
      const { status } = fieldsOf(part['state']);
      if (status === 'completed' || status === 'error') results.push(idOf(part['callID']));
    }
  },
  copilot: ({ type, data }, { said, calls, results }) => {
    const fields = fieldsOf(data);
    if (type === 'user.message' || type === 'assistant.message')
      said.push(textOf(fields['content']) ?? '');
    if (type === 'assistant.message')
      for (const request of listOf(fields['toolRequests'])) calls.push(idOf(request['toolCallId']));
    if (type === 'tool.execution_complete') results.push(idOf(fields['toolCallId']));
  },
};
