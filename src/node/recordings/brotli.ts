import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Compressor, Decompressor } from '../../recording/ports.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** zlib hands its output over in pieces of this size, each a trip through the thread pool: most blocks need one. */
const PIECE_BYTES = 256 * 1024;

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

/** Brotli by `node:zlib`, on Node's thread pool. Stops as soon as the output is too long. */
export const brotliDecompressor: Decompressor = {
  decompress: (bytes, maxLength) =>
    decompress(bytes, {
      chunkSize: Math.min(Math.max(maxLength, 64), PIECE_BYTES),
      maxOutputLength: Math.max(maxLength, 1),
    }),
};
