import assert from 'node:assert/strict';
import { MockProvider } from '../../mockProvider/mockProvider.ts';
import { parseScenario } from '../../mockProvider/scenario.ts';

const SCENARIO = parseScenario(`
turns:
  - prompt: '@@go'
    answers:
      - text: I look.
        tools: [{ shell: ls }, { shell: pwd }]
      - text: Done.
  - prompt: '@@limit'
    answers: [{ text: Later., fault: { status: 429, times: 2 } }]
  - prompt: '@@cut'
    answers: [{ text: A longer answer., fault: { partial: 1 } }]
  - prompt: '@@drop'
    answers: [{ text: A longer answer., fault: { hangUp: 1 } }]
  - prompt: '@@slow'
    answers: [{ text: Slowly., latencyMs: 200 }]
`);

interface Api {
  readonly path: string;
  body(prompt: string, stream: boolean): object;
  /** The agent's next request after the tool calls of the first answer. */
  followUp(prompt: string): object;
  streamPath?: string;
}

const APIS: Readonly<Record<string, Api>> = {
  anthropic: {
    path: '/x/v1/messages?beta=true',
    body: (content, stream) => ({
      model: 'm',
      stream,
      tools: [{ name: 'Bash' }],
      messages: [{ role: 'user', content }],
    }),
    followUp: (content) => ({
      model: 'm',
      tools: [{ name: 'Bash' }],
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
      ],
    }),
  },
  responses: {
    path: '/x/responses',
    body: (text, stream) => ({
      model: 'm',
      stream,
      tools: [{ type: 'function', name: 'exec_command' }],
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
    }),
    followUp: (text) => ({
      model: 'm',
      input: [
        { type: 'additional_tools', tools: [{ name: 'f', tools: [{ name: 'exec_command' }] }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 'a', name: 'exec_command', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'x' },
      ],
    }),
  },
  gemini: {
    path: '/x/v1beta/models/m:generateContent',
    streamPath: '/x/v1beta/models/m:streamGenerateContent?alt=sse',
    body: (text) => ({
      tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
      contents: [{ role: 'user', parts: [{ text }] }],
    }),
    followUp: (text) => ({
      tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
      contents: [
        { role: 'user', parts: [{ text }] },
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'x', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'x', response: {} } }] },
      ],
    }),
  },
};

describe('MockProvider', () => {
  let provider: MockProvider;
  beforeEach(async () => {
    provider = await MockProvider.start(SCENARIO);
  });
  afterEach(() => provider.stop());

  const post = (path: string, body: object): Promise<Response> =>
    fetch(provider.url + path, { method: 'POST', body: JSON.stringify(body) });

  for (const [name, api] of Object.entries(APIS)) {
    describe(name, () => {
      const streamPath = api.streamPath ?? api.path;

      it('answers by the script, streamed or not', async () => {
        const whole = await (await post(api.path, api.body('please @@go', false))).text();
        const streamed = await (await post(streamPath, api.body('please @@go', true))).text();
        for (const text of [whole, streamed]) {
          assert.match(text, /call_mock001_1/);
          assert.match(text, /call_mock001_2/);
        }
        assert.match(whole, /I look\./);
        assert.ok(streamed.split('\n\n').filter(Boolean).length >= 4);
        for (const event of streamed.split('\n\n').filter(Boolean)) {
          assert.doesNotThrow(
            () => JSON.parse(event.replace(/^(event: .*\n)?data: /, '')) as unknown,
          );
        }
        assert.deepEqual(provider.problems, []);
      });

      it("continues at the conversation's position", async () => {
        const text = await (await post(api.path, api.followUp('@@go'))).text();
        assert.match(text, /Done\./);
        const call = provider.scripted[0];
        assert.equal(call?.answer, 1);
        assert.ok(
          call.conversation.steps.some((step) => step.by === 'tool' && step.callId === 'a'),
        );
      });

      it('fails as often as the script says, then works', async () => {
        const statuses: number[] = [];
        for (let nth = 0; nth < 3; nth++) {
          const response = await post(streamPath, api.body('@@limit', true));
          statuses.push(response.status);
          await response.text();
        }
        assert.deepEqual(statuses, [429, 429, 200]);
      });

      it('ends or breaks a stream early, once', async () => {
        const whole = api.body('@@drop', true);
        await assert.rejects(async () => (await post(streamPath, whole)).text());
        const complete = await (await post(streamPath, whole)).text();
        const cut = await (await post(streamPath, api.body('@@cut', true))).text();
        assert.ok(cut.length < complete.length);
        assert.ok(cut.length > 0);
      });
    });
  }

  it('waits as long as the script says', async () => {
    const start = performance.now();
    await (await post(APIS['anthropic']!.path, APIS['anthropic']!.body('@@slow', false))).text();
    assert.ok(performance.now() - start >= 195);
  });

  it('answers side requests by their schema, and logs other requests', async () => {
    const schema = { type: 'object', properties: { choice: { type: 'string', enum: ['a', 'b'] } } };
    const response = await post('/v1beta/models/m:generateContent', {
      contents: [{ role: 'user', parts: [{ text: 'which? @@go' }] }],
      generationConfig: { responseJsonSchema: schema },
    });
    assert.match(await response.text(), /\{\\"choice\\":\\"a\\"\}/);
    assert.equal(provider.scripted.length, 0);
    await (await fetch(`${provider.url}/nothing`)).text();
    assert.deepEqual(provider.otherRequests, ['GET /nothing']);
  });

  it('names the mistake in a scenario', () => {
    assert.throws(() => parseScenario('turns: [{ prompt: x, answers: [{ txt: y }] }]'), /"txt"/);
    assert.throws(() => parseScenario('turns: [{ prompt: x, answers: [] }]'), /no answer/);
    const endsWithTool = 'turns: [{ prompt: x, answers: [{ tools: [{ shell: ls }] }] }]';
    assert.throws(() => parseScenario(endsWithTool), /ends with a tool/);
  });
});
