import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { ByteReader, ByteWriter } from '../../../src/base/bytes.ts';

export interface ReceivedNotice {
  readonly id: bigint;
  readonly label: string;
}

/**
 * Receives snapshot notices like a recorder; written independently of the mock agent's side of the
 * protocol.
 */
export class SnapshotServer {
  readonly notices: ReceivedNotice[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param refusal an error to answer with */
  static async listen(where: ListenOptions, refusal?: string): Promise<SnapshotServer> {
    const server = createServer((socket) => {
      let received = Buffer.alloc(0);
      socket.on('data', (bytes: Buffer) => {
        received = Buffer.concat([received, bytes]);
        if (received.length < 4 || received.length < 4 + received.readUInt32LE(0)) return;
        const notice = parseNotice(received);
        listening.notices.push(notice);
        socket.end(refusal === undefined ? success(notice) : failure(refusal));
      });
    });
    const listening = new SnapshotServer(server);
    server.listen(where);
    await once(server, 'listening');
    return listening;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  close(): void {
    this.#server.close();
  }
}

function parseNotice(frame: Buffer): ReceivedNotice {
  const reader = new ByteReader(frame);
  const length = reader.u32() ?? 0;
  const selector = reader.u8();
  const id = reader.u64() ?? 0n;
  const offset = reader.u32();
  if (selector !== 0 || offset !== 12) throw new Error(`bad notice: ${frame.toString('hex')}`);
  return { id, label: Buffer.from(reader.bytes(length - 13) ?? []).toString('utf8') };
}

function success({ id }: ReceivedNotice): Uint8Array {
  return new ByteWriter().u32(25).u8(0).u64(id).u64(1000).u64(2000).toBytes();
}

function failure(reason: string): Uint8Array {
  const text = Buffer.from(reason);
  return new ByteWriter()
    .u32(1 + text.length)
    .u8(1)
    .bytes(text)
    .toBytes();
}
