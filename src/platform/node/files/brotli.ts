import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Compressor, Decompressor } from '../../../recording/format/ports.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** zlib hands its output over in pieces of this size, each a trip through the thread pool: most blocks need one. */
const PIECE_BYTES = 256 * 1024;
/** All of any block that this program writes, in one piece; whoever claims more than he has gets no more memory than this. */
const MAX_PIECE_BYTES = 2 * 1024 * 1024;
/** A piece that is filled to its end is followed by another, for there may be more: this much room says that there is not. */
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

/** Brotli by `node:zlib`, on Node's thread pool. Stops as soon as the output is too long. */
export const brotliDecompressor: Decompressor = {
  decompress: (bytes, maxLength) =>
    decompress(bytes, {
      chunkSize: Math.min(maxLength + ROOM_BYTES, MAX_PIECE_BYTES),
      maxOutputLength: Math.max(maxLength, 1),
    }),
};
