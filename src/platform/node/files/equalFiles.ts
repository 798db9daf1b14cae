import { fill } from './fileSource.ts';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/**
 * Flags for opening a file that may have been replaced: they don't follow a link and don't wait for
 * a pipe.
 */
export const SAFE_READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const PIECE_BYTES = 1024 * 1024;

/** Compares the content piece by piece, because files may be larger than memory. */
export async function areEqualFiles(
  one: string | Buffer,
  other: string | Buffer,
  signal?: AbortSignal,
): Promise<boolean> {
  const handles: FileHandle[] = [];
  try {
    for (const file of [one, other]) handles.push(await open(file, SAFE_READING));
    const [first, second] = handles as [FileHandle, FileHandle];
    const { size } = await first.stat();
    if ((await second.stat()).size !== size) return false;
    // One byte more than the file, so that the first read of a small file reaches its end.
    const length = Math.min(PIECE_BYTES, size + 1);
    const [a, b] = [Buffer.alloc(length), Buffer.alloc(length)];
    for (let at = 0; ;) {
      signal?.throwIfAborted();
      const [read, other] = await Promise.all([fill(first, a, at), fill(second, b, at)]);
      if (read !== other || a.compare(b, 0, other, 0, read) !== 0) return false;
      if (read < length) return true;
      at += read;
    }
  } finally {
    for (const handle of handles) await handle.close();
  }
}
