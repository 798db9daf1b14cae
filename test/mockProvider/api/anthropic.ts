import {
  tokensOf,
  type Conversation,
  type ModelApi,
  type Reply,
  type Step,
} from '../conversation.ts';
import { objects, record, text } from './readRequest.ts';
import { sse } from './sse.ts';

/** Anthropic's Messages API: Claude Code; also opencode and Copilot with settings. */
export const anthropic: ModelApi = {
  name: 'anthropic',
  isModelCall: (path) => /\/messages(\?|$)/.test(path),
  conversation(body): Conversation {
    const request = record(body);
    const format = record(record(request['output_config'])['format']);
    return {
      model: text(request['model']),
      steps: objects(request['messages']).flatMap(stepsOf),
      toolNames: objects(request['tools']).map((tool) => text(tool['name'])),
      isStreamed: request['stream'] === true,
      jsonSchema: format['schema'] ?? record(request['output_format'])['schema'],
    };
  },
  stream(reply) {
    const { content, ...message } = whole(reply);
    const event = (type: string, fields: object): string => sse({ type, ...fields }, type);
    return [
      event('message_start', {
        message: {
          ...message,
          content: [],
          stop_reason: null,
          usage: { ...message.usage, output_tokens: 1 },
        },
      }),
      ...content.flatMap((block, index) => [
        event('content_block_start', { index, content_block: emptied(block) }),
        ...deltas(block).map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason: message.stop_reason, stop_sequence: null },
        usage: { output_tokens: message.usage.output_tokens },
      }),
      event('message_stop', {}),
    ];
  },
  whole,
  error: (status) => ({
    type: 'error',
    error: {
      type: status === 429 ? 'rate_limit_error' : 'api_error',
      message: `The mock provider says ${status}.`,
    },
  }),
};

type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    };

function whole(reply: Reply) {
  const content: Block[] = [
    ...(reply.text ? [{ type: 'text' as const, text: reply.text }] : []),
    ...reply.calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
  ];
  return {
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content,
    stop_reason: reply.calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: tokensOf(JSON.stringify(content)) },
  };
}

function emptied(block: Block): object {
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
}

/** Two pieces, so that the agent has to join them. */
function deltas(block: Block): object[] {
  const whole = block.type === 'text' ? block.text : JSON.stringify(block.input);
  const middle = Math.ceil(whole.length / 2);
  return [whole.slice(0, middle), whole.slice(middle)].map((part) =>
    block.type === 'text'
      ? { type: 'text_delta', text: part }
      : { type: 'input_json_delta', partial_json: part },
  );
}

function stepsOf(message: Readonly<Record<string, unknown>>): Step[] {
  const content = message['content'];
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
  const texts = blocks.filter(({ type }) => type === 'text').map((block) => text(block['text']));
  if (message['role'] === 'assistant') {
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map((block) => text(block['id']));
    return [{ by: 'model', text: texts.join(''), calls }];
  }
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block): Step => ({
      by: 'tool',
      callId: text(block['tool_use_id']),
      output: outputText(block['content']),
    }));
  return [...results, ...texts.map((said): Step => ({ by: 'user', text: said }))];
}

function outputText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .map((block) => text(block['text']))
    .join('');
}
