import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import type { ObjectCoding } from '../../common/ports.ts';

const deflateAsync = promisify<Uint8Array, { level: number }, Buffer>(deflate);
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
};
