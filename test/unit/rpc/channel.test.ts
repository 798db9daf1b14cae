import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';
import { UserError } from '../../../src/base/errors.ts';
import { Channel, type Transport } from '../../../src/rpc/channel.ts';

interface Server {
  readonly requests: { double: { params: { value: number }; result: { value: number } } };
  readonly events: { poke: { text: string } };
}
interface Client {
  readonly requests: Record<string, never>;
  readonly events: { shout: { text: string } };
}

describe('a channel', () => {
  it('carries requests, replies and events, with bytes beside them', async () => {
    const { server, client, heard } = connect();
    const reply = await client.request('double', { value: 21 }, Buffer.from('abc'));
    assert.deepEqual(reply.body, { value: 42 });
    assert.deepEqual(reply.binary, Buffer.from('cba'));
    client.notify('poke', { text: 'you' });
    server.notify('shout', { text: 'hey' });
    assert.deepEqual(heard, ['poke you', 'shout hey']);
  });

  it('returns errors with their codes, and bugs as internal errors', async () => {
    const { client } = connect();
    await assert.rejects(client.request('double', { value: -1 }), {
      code: 'negative',
      message: 'No.',
    });
    await assert.rejects(client.request('double', { value: NaN }), { code: 'internal' });
  });

  it('answers unknown requests with an error', async () => {
    const { client } = connect();
    const unknown = client as unknown as Channel<
      Client,
      {
        requests: Record<string, { params: object; result: object }>;
        events: object & Record<string, unknown>;
      }
    >;
    for (const name of ['nope', 'toString', '__proto__']) {
      await assert.rejects(unknown.request(name, {}), { code: 'unknown-request' });
    }
  });

  it('rejects pending and later requests when it closes', async () => {
    const { client, server } = connect();
    const pending = client.request('double', { value: Infinity });
    server.dispose();
    await assert.rejects(pending, { code: 'connection-closed' });
    await assert.rejects(client.request('double', { value: 1 }), { code: 'connection-closed' });
  });

  it('ignores malformed messages', () => {
    const { wire } = connect();
    for (const json of [
      null,
      3,
      'x',
      {},
      { name: 'toString' },
      { replyTo: 99, body: 1 },
      { name: 5, id: 'x' },
    ]) {
      wire.fire({ json, binary: undefined });
    }
  });
});

function connect() {
  const toServer = new Emitter<{ json: unknown; binary: Uint8Array | undefined }>();
  const toClient = new Emitter<{ json: unknown; binary: Uint8Array | undefined }>();
  const closes = new Emitter<void>();
  const end = (out: typeof toServer, into: typeof toServer): Transport => ({
    send: (json, binary) => out.fire({ json, binary }),
    onMessage: into.event,
    onClose: closes.event,
    dispose: () => closes.fire(),
  });
  const heard: string[] = [];
  const server = new Channel<Server, Client>(
    end(toClient, toServer),
    {
      double: (params, binary) => {
        const { value } = params as { value: number };
        if (value < 0) throw new UserError('negative', 'No.');
        if (Number.isNaN(value)) throw new Error('bug');
        if (value === Infinity) return new Promise(() => {});
        return Promise.resolve({
          body: { value: value * 2 },
          ...(binary && { binary: Buffer.from(binary).reverse() }),
        });
      },
    },
    { poke: (body) => heard.push(`poke ${(body as { text: string }).text}`) },
  );
  const client = new Channel<Client, Server>(
    end(toServer, toClient),
    {},
    { shout: (body) => heard.push(`shout ${(body as { text: string }).text}`) },
  );
  return { server, client, heard, wire: toServer };
}
