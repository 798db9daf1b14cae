import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { isOwnTcpPeer } from '../../../../../src/platform/node/transports/tcpPeer.ts';
import { SOME_USER } from '../../../../support/volumes/someUser.ts';

describe('the peer of a TCP connection', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(host: string, port = 0): Promise<{ server: Server; port: number }> {
    const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
    servers.push(server.listen(port, host));
    await once(server, 'listening');
    return { server, port: (server.address() as AddressInfo).port };
  }

  async function accepted(server: Server): Promise<Socket> {
    const [socket] = (await once(server, 'connection')) as [Socket];
    return socket;
  }

  for (const [host, to] of [
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['::1', '::1'],
    ['::', '127.0.0.1'], // Over IPv6, with a mapped address.
  ] as const)
    it(`is recognized as ours from ${to} at ${host}`, async () => {
      const { server, port } = await listen(host);
      sockets.push(connect(port, to));
      assert.equal(isOwnTcpPeer(await accepted(server)), true);
    });

  it('is still ours after it has sent everything', async () => {
    const { server, port } = await listen('127.0.0.1');
    const peer = connect(port, '127.0.0.1');
    const socket = await accepted(server);
    const ended = once(socket, 'end');
    socket.resume();
    socket.allowHalfOpen = true;
    peer.end();
    await ended;
    assert.equal(isOwnTcpPeer(socket), true);
  });

  it('is not ours because we have a connection with the same ports at another address', async function () {
    if (process.getuid?.() !== 0) this.skip(); // Only root can become another user.
    const { server, port } = await listen('127.0.0.1');
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; read -u 3`;
    const stranger = spawn('/bin/bash', ['-c', script], { uid: SOME_USER, stdio: 'ignore' });
    try {
      const theirs = await accepted(server);
      const { server: other } = await listen('127.0.0.2', port);
      const same = { host: '127.0.0.2', port, localAddress: '127.0.0.2' };
      sockets.push(connect({ ...same, localPort: theirs.remotePort! }));
      assert.equal(isOwnTcpPeer(await accepted(other)), true);
      assert.equal(isOwnTcpPeer(theirs), false);
    } finally {
      stranger.kill();
    }
  });
});
