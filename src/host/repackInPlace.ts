import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressor, brotliDecompressor } from '../platform/node/files/brotli.ts';
import { syncFolder } from '../platform/node/files/atomicFile.ts';
import { FileSink } from '../platform/node/files/fileSink.ts';
import { FileSource } from '../platform/node/files/fileSource.ts';
import { DEFAULT_QUALITY } from '../recording/format/format.ts';
import { repack } from '../recording/write/repack.ts';

/**
 * Replaces a finished recording by one with the same records in fewer, better compressed blocks.
 * Readers that have the old file open continue to read it. Does nothing when the file was moved or
 * replaced in the meantime.
 * @param quality chosen by the user; above the default, blocks that are already full are compressed
 * again, too
 */
export async function repackInPlace(file: string, quality: number): Promise<void> {
  const name = `.${path.basename(file)}.${randomBytes(4).toString('hex')}.repack`;
  const temporary = path.join(path.dirname(file), name);
  const before = await stat(file);
  const source = await FileSource.open(file);
  try {
    const sink = await FileSink.create(temporary);
    let result;
    try {
      result = await repack({
        source,
        sink,
        compressor: brotliCompressor,
        decompressor: brotliDecompressor,
        ...(quality > DEFAULT_QUALITY && { minQuality: quality }),
      });
    } finally {
      await sink.close();
    }
    const now = await stat(file);
    const isSame =
      now.ino === before.ino && now.size === before.size && now.mtimeMs === before.mtimeMs;
    if (isSame && !result.problem && result.bytes < before.size) {
      await rename(temporary, file);
      await syncFolder(path.dirname(file));
    }
  } finally {
    await source.close();
    await rm(temporary, { force: true });
  }
}
