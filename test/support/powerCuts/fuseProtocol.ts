/**
 * The part of the kernel's FUSE protocol (linux/fuse.h) that a file system of one file needs. The
 * root itself is the file, as QEMU exports disks, so nothing is ever looked up by name.
 */
export const Opcode = {
  forget: 2,
  getAttributes: 3,
  setAttributes: 4,
  open: 14,
  read: 15,
  write: 16,
  statFs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  interrupt: 36,
} as const;

export const MAX_WRITE = 1024 * 1024;
export const ENOSYS = 38;
/** Size of the buffer for a request: data, and the room for headers that the kernel requires. */
export const REQUEST_BYTES = MAX_WRITE + 4096;

const IN_HEADER_BYTES = 40;
const OUT_HEADER_BYTES = 16;
const ROOT_INODE = 1n;
/** The file never changes its size, so the kernel may cache the attributes for long. */
const VALID_SECONDS = 3600n;

export interface FuseRequest {
  readonly opcode: number;
  readonly unique: bigint;
  readonly body: Buffer;
}

export function parseRequest(bytes: Buffer): FuseRequest {
  return {
    opcode: bytes.readUInt32LE(4),
    unique: bytes.readBigUInt64LE(8),
    body: bytes.subarray(IN_HEADER_BYTES, bytes.readUInt32LE(0)),
  };
}

export function reply(unique: bigint, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([outHeader(unique, 0, body.length), body]);
}

export function failure(unique: bigint, errno: number): Buffer {
  return outHeader(unique, -errno, 0);
}

function outHeader(unique: bigint, error: number, bodyBytes: number): Buffer {
  const header = Buffer.alloc(OUT_HEADER_BYTES);
  header.writeUInt32LE(OUT_HEADER_BYTES + bodyBytes, 0);
  header.writeInt32LE(error, 4);
  header.writeBigUInt64LE(unique, 8);
  return header;
}

/** `fuse_init_out`: protocol 7.31 and nothing optional but large writes. */
export function initReply(): Buffer {
  const BIG_WRITES = 1 << 5;
  const MAX_PAGES = 1 << 22;
  const body = Buffer.alloc(64);
  body.writeUInt32LE(7, 0);
  body.writeUInt32LE(31, 4);
  body.writeUInt32LE(MAX_WRITE, 8); // Read-ahead.
  body.writeUInt32LE(BIG_WRITES | MAX_PAGES, 12);
  body.writeUInt16LE(16, 16); // Requests in the background.
  body.writeUInt16LE(12, 18); // From how many the kernel counts as congested.
  body.writeUInt32LE(MAX_WRITE, 20);
  body.writeUInt32LE(1, 24); // Times in nanoseconds.
  body.writeUInt16LE(MAX_WRITE / 4096, 28);
  return body;
}

/** `fuse_attr_out` of a file of this size. */
export function attributesReply(size: number): Buffer {
  const body = Buffer.alloc(104);
  body.writeBigUInt64LE(VALID_SECONDS, 0);
  body.writeBigUInt64LE(ROOT_INODE, 16);
  body.writeBigUInt64LE(BigInt(size), 24);
  body.writeBigUInt64LE(BigInt(Math.ceil(size / 512)), 32);
  body.writeUInt32LE(0o100600, 76);
  body.writeUInt32LE(1, 80); // Links.
  body.writeUInt32LE(4096, 96);
  return body;
}

/** `fuse_open_out`, without flags. */
export function openReply(): Buffer {
  return Buffer.alloc(16);
}

export function writeReply(bytes: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32LE(bytes, 0);
  return body;
}

/** `fuse_statfs_out`: `losetup` requests it, but the numbers have no effect. */
export function statFsReply(): Buffer {
  const body = Buffer.alloc(80);
  body.writeUInt32LE(4096, 40);
  body.writeUInt32LE(255, 44);
  body.writeUInt32LE(4096, 48);
  return body;
}

export function readRange(body: Buffer): { offset: number; length: number } {
  return { offset: Number(body.readBigUInt64LE(8)), length: body.readUInt32LE(16) };
}

export function writtenRange(body: Buffer): { offset: number; data: Buffer } {
  const length = body.readUInt32LE(16);
  return { offset: Number(body.readBigUInt64LE(8)), data: body.subarray(40, 40 + length) };
}
