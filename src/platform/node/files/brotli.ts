import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Compressor, Decompressor } from '../../../recording/format/ports.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** zlib uses the thread pool once per piece of output; most blocks fit into one piece. */
const PIECE_BYTES = 256 * 1024;
/** Fits any block that we write. Limits the memory for a block that claims to be larger. */
const MAX_PIECE_BYTES = 2 * 1024 * 1024;
/** Room after the output: zlib continues with another piece if one is filled completely. */
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
