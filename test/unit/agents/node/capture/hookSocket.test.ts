import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { HookCall } from '../../../../../src/agents/common/adapter.ts';
import { opencodePlugin } from '../../../../../src/agents/adapters/opencodePlugin.ts';
import { HookSocket } from '../../../../../src/agents/node/capture/hookSocket.ts';
import { until } from '../../../../support/ah.ts';
import { deferred } from '../../../../support/deferred.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const clock = { nowNs: () => 1n };
const TOOL = [
  { tool: 'bash', callID: 'c1', args: { command: 'ls' } },
  { title: 'ls', output: 'ä\n'.repeat(100_000), metadata: {} },
] as const;

interface Plugin {
  readonly event: (message: { readonly event: unknown }) => Promise<void>;
  readonly 'tool.execute.after': (...told: unknown[]) => Promise<void>;
}

/** Runs the plugin like the agent, with the real socket. */
describe('HookSocket', () => {
  const folder = useTemporaryFolder();
  const calls: HookCall[] = [];
  const errors: unknown[] = [];
  let onCall: (call: HookCall) => void | Promise<void>;
  let socket: HookSocket;
  let place: string;

  beforeEach(async () => {
    calls.length = 0;
    errors.length = 0;
    onCall = (call) => void calls.push(call);
    place = path.join(folder.path, 'hooks.sock');
    socket = await HookSocket.open(place, {
      clock,
      onCall: (call) => onCall(call),
      onError: (error) => void errors.push(error),
    });
  });
  afterEach(() => socket.dispose());

  async function plugin(waitMs = 2000): Promise<Plugin> {
    const file = path.join(folder.path, 'plugin.mjs');
    await writeFile(file, opencodePlugin(place, waitMs));
    const { AhPlugin } = (await import(pathToFileURL(file).href)) as {
      AhPlugin: () => Promise<Plugin>;
    };
    return AhPlugin();
  }

  it("receives a plugin's events in order, and delays only tool calls", async () => {
    const agent = await plugin();
    const dealt = deferred();
    onCall = (call) => {
      calls.push(call);
      return calls.length < 3 ? dealt.promise : undefined;
    };
    // Neither call waits until the event is handled.
    await agent.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
    await agent.event({ event: { type: 'session.updated', properties: {} } });
    let isOver = false;
    const tool = agent['tool.execute.after'](...TOOL).then(() => (isOver = true));
    await until(() => calls.length === 2, 'the call');
    await agent['tool.execute.after'](...TOOL);
    assert.equal(isOver, false, 'a later hook has ended before it');
    calls.pop();
    dealt.resolve();
    await tool;
    const types = calls.map(({ name, payload }) => [name, payload['type']]);
    assert.deepEqual(types, [
      ['event', 'session.idle'],
      ['event', 'message.part.updated'],
    ]);
    assert.ok(JSON.stringify(calls[1]!.payload).length > 300_000);
  });

  it('delays an agent no longer than the limit, and not at all without a recorder', async () => {
    const patient = await plugin(300);
    const never = deferred();
    onCall = () => never.promise;
    const start = performance.now();
    await patient['tool.execute.after'](...TOOL);
    assert.ok(performance.now() - start < 2000);
    const waits = patient['tool.execute.after'](...TOOL);
    socket.dispose();
    await waits;
    await patient['tool.execute.after'](...TOOL);
    const alone = await plugin();
    await alone['tool.execute.after'](...TOOL);
  });

  it('accepts any input, and keeps its failures from the agent', async () => {
    const client = connect(place);
    const answers: string[] = [];
    client.on('data', (bytes) => answers.push(bytes.toString()));
    onCall = (call) => {
      calls.push(call);
      throw new Error('ours');
    };
    for (const line of ['', '{', '[]', 'null', '{"id":{}}']) client.write(`${line}\n`);
    client.write('{"id":7,"pay');
    await sleep(50);
    client.write('load":{"type":"x"}}\n');
    await until(() => answers.join('').includes('7\n'), 'an answer', 3000);
    assert.deepEqual(
      calls.map(({ payload }) => payload['type']),
      [undefined, 'x'],
    );
    assert.equal(errors.length, 2);
    client.destroy();
  });
});
