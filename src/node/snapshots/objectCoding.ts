import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { ObjectCoding } from '../../snapshots/ports.ts';

const deflateAsync = promisify<Uint8Array, { level: number }, Buffer>(deflate);
/** Packing does it properly later on. */
const FAST = 1;

export const nodeObjectCoding: ObjectCoding = {
  hash(algorithm, parts) {
    const hash = createHash(algorithm);
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  },
  deflate: (bytes) => deflateAsync(bytes, { level: FAST }),
};
