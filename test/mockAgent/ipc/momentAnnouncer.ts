import { connect, type NetConnectOpts } from 'node:net';
import { messageOf } from '../../../src/base/errors.ts';
import type { MomentAnnouncer } from '../agentContext.ts';
import { decodeSnapshotReply, encodeSnapshotNotice, type SnapshotReply } from './snapshotNotice.ts';

/** The recorder answers after its snapshot, which is slow for a big tree. */
const REPLY_TIMEOUT_MS = 30_000;

/** @param address path of a socket, or `tcp:host:port`; `undefined` without a recorder */
export function momentAnnouncer(address: string | undefined): MomentAnnouncer {
  let lastId = 0n;
  return {
    async announce(label, id = lastId + 1n) {
      lastId = id;
      if (address === undefined) return { problem: undefined };
      try {
        const reply = await exchange(address, encodeSnapshotNotice(id, label));
        return { problem: reply.ok ? undefined : reply.error };
      } catch (error) {
        return { problem: messageOf(error) };
      }
    },
  };
}

function exchange(address: string, request: Uint8Array): Promise<SnapshotReply> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketOptions(address), () => socket.write(request));
    let received = Buffer.alloc(0);
    const finish = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(REPLY_TIMEOUT_MS, () =>
      finish(() => reject(new Error('the recorder did not answer'))),
    );
    socket.on('error', (error) => finish(() => reject(error)));
    socket.on('end', () =>
      finish(() => reject(new Error('the recorder hung up without an answer'))),
    );
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      const reply = decodeSnapshotReply(received);
      if (reply) finish(() => resolve(reply));
    });
  });
}

function socketOptions(address: string): NetConnectOpts {
  const tcp = /^tcp:(.+):(\d+)$/.exec(address);
  return tcp ? { host: tcp[1] ?? '', port: Number(tcp[2]) } : { path: address };
}
