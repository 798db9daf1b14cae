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

/** Google's generateContent and streamGenerateContent: Gemini CLI. */
export const gemini: ModelApi = {
  name: 'gemini',
  isModelCall: (path) => /:(streamG|g)enerateContent(\?|$)/.test(path),
  conversation(body, path): Conversation {
    const request = record(body);
    const config = record(request['generationConfig']);
    return {
      model: /\/models\/([^:]+):/.exec(path)?.[1] ?? '',
      steps: objects(request['contents']).flatMap(stepsOf),
      toolNames: objects(request['tools']).flatMap((tool) =>
        objects(tool['functionDeclarations']).map((declaration) => text(declaration['name'])),
      ),
      isStreamed: path.includes(':streamGenerateContent'),
      jsonSchema: config['responseJsonSchema'] ?? config['responseSchema'],
    };
  },
  stream(reply) {
    const said: object[] = halves(reply.text).map((part) => ({ text: part }));
    const parts = [...said, ...calls(reply)];
    return parts.map((part, index) => sse(chunk(reply, [part], index === parts.length - 1)));
  },
  whole: (reply) =>
    chunk(reply, [...(reply.text ? [{ text: reply.text }] : []), ...calls(reply)], true),
  error: (status) => ({
    error: {
      code: status,
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL',
      message: `The mock provider says ${status}.`,
    },
  }),
};

function calls(reply: Reply): object[] {
  return reply.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
}

function chunk(reply: Reply, parts: readonly object[], isLast: boolean): object {
  const candidatesTokenCount = tokensOf(JSON.stringify(parts));
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(isLast && { finishReason: 'STOP' }) },
    ],
    usageMetadata: {
      promptTokenCount: 100,
      candidatesTokenCount,
      totalTokenCount: 100 + candidatesTokenCount,
    },
    modelVersion: reply.model,
    responseId: `resp_${reply.id}`,
  };
}

function halves(said: string): string[] {
  if (said === '') return [];
  const middle = Math.ceil(said.length / 2);
  return [said.slice(0, middle), said.slice(middle)].filter((part) => part !== '');
}

function stepsOf(content: Fields): Step[] {
  const parts = objects(content['parts']);
  const said = parts
    .filter((part) => part['thought'] !== true)
    .map((part) => text(part['text']))
    .filter((part) => part !== '');
  if (content['role'] === 'model') {
    const made = parts.filter((part) => part['functionCall'] !== undefined);
    const ids = made.map((part) => text(record(part['functionCall'])['id']));
    return [{ by: 'model', text: said.join(''), calls: ids }];
  }
  const results = parts
    .filter((part) => part['functionResponse'] !== undefined)
    .map((part): Step => {
      const response = record(part['functionResponse']);
      return {
        by: 'tool',
        callId: text(response['id']),
        output: JSON.stringify(response['response'] ?? null),
      };
    });
  return [...results, ...said.map((one): Step => ({ by: 'user', text: one }))];
}
