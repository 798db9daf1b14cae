import {
  tokensOf,
  type Conversation,
  type ModelApi,
  type Reply,
  type Step,
} from '../conversation.ts';
import { objects, record, text } from './readRequest.ts';
import { sse } from './sse.ts';

type Fields = Readonly<Record<string, unknown>>;

/** OpenAI's Responses API: Codex. */
export const responses: ModelApi = {
  name: 'responses',
  isModelCall: (path) => /\/responses(\?|$)/.test(path),
  conversation(body): Conversation {
    const request = record(body);
    return {
      model: text(request['model']),
      steps: stepsOf(objects(request['input'])),
      toolNames: [request, ...objects(request['input'])].flatMap(({ tools }) => toolNames(tools)),
      isStreamed: request['stream'] === true,
      jsonSchema: record(record(request['text'])['format'])['schema'],
    };
  },
  stream(reply) {
    const response = whole(reply);
    const event = (type: string, fields: object): string => sse({ type, ...fields }, type);
    return [
      event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      ...response.output.flatMap((item, output_index) => [
        event('response.output_item.added', { output_index, item: emptied(item) }),
        ...deltas(item).map(([type, delta]) =>
          event(type, { item_id: item['id'], output_index, content_index: 0, delta }),
        ),
        event('response.output_item.done', { output_index, item }),
      ]),
      event('response.completed', { response }),
    ];
  },
  whole,
  error: (status) => ({
    error: {
      type: status === 429 ? 'rate_limit_exceeded' : 'server_error',
      message: `The mock provider says ${status}.`,
    },
  }),
};

function whole(reply: Reply) {
  const output: Fields[] = [];
  if (reply.text) {
    output.push({
      type: 'message',
      id: `msg_${reply.id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: reply.text, annotations: [] }],
    });
  }
  for (const { id, name, input } of reply.calls) {
    const call = { id: `item_${id}`, call_id: id, name, status: 'completed' };
    output.push(
      typeof input === 'string'
        ? { type: 'custom_tool_call', ...call, input }
        : { type: 'function_call', ...call, arguments: JSON.stringify(input) },
    );
  }
  const outputTokens = tokensOf(JSON.stringify(output));
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    status: 'completed',
    model: reply.model,
    output,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 100 + outputTokens,
    },
  };
}

function emptied(item: Fields): Fields {
  if (item['type'] === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item['type'] === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return { ...item, status: 'in_progress', input: '' };
}

function deltas(item: Fields): [string, string][] {
  if (item['type'] !== 'message') return [];
  const said = text(objects(item['content'])[0]?.['text']);
  const middle = Math.ceil(said.length / 2);
  return [said.slice(0, middle), said.slice(middle)].map((part) => [
    'response.output_text.delta',
    part,
  ]);
}

/** The output items of an answer: its message, then its calls. */
function stepsOf(items: readonly Fields[]): Step[] {
  const steps: Step[] = [];
  for (const item of items) {
    const type = text(item['type']) || 'message';
    if (type === 'message' && item['role'] !== 'assistant') {
      if (item['role'] === 'user') steps.push({ by: 'user', text: contentText(item) });
    } else if (type === 'message') {
      addToAnswer(steps, { text: contentText(item), calls: [] });
    } else if (type === 'function_call' || type === 'custom_tool_call') {
      addToAnswer(steps, { text: '', calls: [text(item['call_id'])] });
    } else if (type.endsWith('_output')) {
      steps.push({ by: 'tool', callId: text(item['call_id']), output: outputText(item['output']) });
    }
  }
  return steps;
}

function addToAnswer(steps: Step[], more: { text: string; calls: readonly string[] }): void {
  const last = steps.at(-1);
  if (last?.by !== 'model') {
    steps.push({ by: 'model', ...more });
    return;
  }
  steps[steps.length - 1] = {
    by: 'model',
    text: last.text + more.text,
    calls: [...last.calls, ...more.calls],
  };
}

/** Tools may be in namespaces, or in an item of the conversation. */
function toolNames(tools: unknown): string[] {
  return objects(tools).flatMap((tool) =>
    tool['tools'] === undefined ? [text(tool['name'])] : toolNames(tool['tools']),
  );
}

function contentText(item: Fields): string {
  if (typeof item['content'] === 'string') return item['content'];
  return objects(item['content'])
    .map((part) => text(part['text']))
    .join('');
}

function outputText(output: unknown): string {
  return typeof output === 'string'
    ? output
    : objects(output)
        .map((part) => text(part['text']))
        .join('');
}
