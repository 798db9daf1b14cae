import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Compressor, Decompressor } from '../../../src/recording/format/ports.ts';

/** Brotli whose promises are settled at once, so that tests need not wait for a thread pool. */
export const syncBrotli: Compressor & Decompressor = {
  compress: (bytes, quality) =>
    Promise.resolve(
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    ),
  decompress: (bytes, maxLength) =>
    new Promise((resolve) =>
      resolve(brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, maxLength) })),
    ),
};
