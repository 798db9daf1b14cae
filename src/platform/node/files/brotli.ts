import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Compressor, Decompressor } from '../../../recording/format/ports.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/**
 * Length of a piece of output. zlib queues a task on the thread pool for each piece; most blocks
 * fit into one.
 */
const PIECE_BYTES = 256 * 1024;
/**
 * Longest piece: fits any block that we write, and limits the memory for a block that claims more.
 */
const MAX_PIECE_BYTES = 2 * 1024 * 1024;
/**
 * Added to the expected length: if the output filled its piece completely, zlib would add another.
 */
const ROOM_BYTES = 64;

/** Brotli by `node:zlib`, on Node's thread pool. */
export const brotliCompressor: Compressor = {
  compress: (bytes, quality) =>
    compress(bytes, {
      chunkSize: PIECE_BYTES,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
};

/** Brotli by `node:zlib`, on Node's thread pool. Stops when the output becomes too long. */
export const brotliDecompressor: Decompressor = {
  decompress: (bytes, maxLength) =>
    decompress(bytes, {
      chunkSize: Math.min(maxLength + ROOM_BYTES, MAX_PIECE_BYTES),
      maxOutputLength: Math.max(maxLength, 1),
    }),
};
