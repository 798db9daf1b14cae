import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflate, deflateSync, inflate } from 'node:zlib';
import type { ObjectCoding } from '../../common/ports.ts';

const deflateAsync = promisify<Uint8Array, { level: number }, Buffer>(deflate);
const inflateAsync = promisify<Uint8Array, Buffer>(inflate);
/** Fast compression is enough: git compresses better when it packs the objects later. */
const FAST = 1;
/**
 * Below this size (0.1 ms), passing the bytes to another thread takes longer than compressing them.
 */
const SMALL_BYTES = 8 * 1024;

export const nodeObjectCoding: ObjectCoding = {
  hash(algorithm, parts) {
    const hash = createHash(algorithm);
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  },
  deflate: async (bytes) =>
    bytes.length <= SMALL_BYTES
      ? deflateSync(bytes, { level: FAST })
      : deflateAsync(bytes, { level: FAST }),
  inflate: (bytes) => inflateAsync(bytes),
  crc32: (bytes) => crc32(bytes),
};
