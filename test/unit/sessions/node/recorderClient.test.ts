import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { UserError } from '../../../../src/base/errors.ts';
import { SocketTransport } from '../../../../src/platform/node/transports/socketTransport.ts';
import { Channel } from '../../../../src/rpc/channel.ts';
import type {
  ClientProtocol,
  HostProtocol,
} from '../../../../src/sessions/common/recorderProtocol.ts';
import { RecorderClient } from '../../../../src/sessions/node/recorderClient.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('connecting to a recorder', () => {
  const place = useTemporaryFolder();
  let server: Server | undefined;

  afterEach(() => void server?.close());

  it('disconnects when the recorder speaks another version, so that the program can exit', async () => {
    const file = path.join(place.path, 'host.sock');
    const refuse = () => Promise.reject(new UserError('version-mismatch', 'Update the older one.'));
    server = createServer((socket) => {
      new Channel<HostProtocol, ClientProtocol>(
        new SocketTransport(socket),
        { hello: refuse } as never,
        {} as never,
      );
    }).listen(file);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    await assert.rejects(RecorderClient.connect(file), { code: 'version-mismatch' });
    const [socket] = await accepted;
    if (!socket.destroyed) await once(socket, 'close');
  });
});
