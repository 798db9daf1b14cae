import { readSync, writeSync } from 'node:fs';

/** What happened to a disk, in order. A mark follows writes that were reported as stored. */
export type DiskEvent =
  | { readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'flush' }
  | { readonly kind: 'mark'; readonly text: string };

const KINDS = ['write', 'flush', 'mark'] as const;
const HEADER_BYTES = 16;

/** The header is the kind, the data's length, and the offset on the disk. */
export function appendEvent(fd: number, event: DiskEvent): void {
  const data =
    event.kind === 'write'
      ? event.data
      : Buffer.from(event.kind === 'mark' ? event.text : '', 'utf8');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(KINDS.indexOf(event.kind), 0);
  header.writeUInt32LE(data.length, 4);
  header.writeBigUInt64LE(BigInt(event.kind === 'write' ? event.offset : 0), 8);
  writeSync(fd, Buffer.concat([header, data]));
}

/** Reads the events one after the other, so that a log may be larger than memory. */
export function* readEvents(fd: number): Generator<DiskEvent> {
  const header = Buffer.alloc(HEADER_BYTES);
  for (let position = 0; readSync(fd, header, 0, HEADER_BYTES, position) === HEADER_BYTES;) {
    const data = Buffer.alloc(header.readUInt32LE(4));
    readSync(fd, data, 0, data.length, position + HEADER_BYTES);
    position += HEADER_BYTES + data.length;
    const kind = KINDS[header.readUInt32LE(0)];
    if (kind === undefined) throw new Error(`The disk log is damaged at byte ${position}.`);
    if (kind === 'write') yield { kind, offset: Number(header.readBigUInt64LE(8)), data };
    else if (kind === 'mark') yield { kind, text: data.toString('utf8') };
    else yield { kind };
  }
}
