import { fill } from './fileSource.ts';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Doesn't follow a link that replaced the file, and doesn't wait for a pipe. */
export const SAFE_READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const PIECE_BYTES = 1024 * 1024;

/** Compares piece by piece, because files may be larger than memory. */
export async function areEqualFiles(
  one: string | Buffer,
  other: string | Buffer,
): Promise<boolean> {
  const handles: FileHandle[] = [];
  try {
    for (const file of [one, other]) handles.push(await open(file, SAFE_READING));
    const [first, second] = handles as [FileHandle, FileHandle];
    const { size } = await first.stat();
    if ((await second.stat()).size !== size) return false;
    const [a, b] = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)];
    for (let at = 0; ;) {
      const [length, other] = await Promise.all([fill(first, a, at), fill(second, b, at)]);
      if (length !== other || a.compare(b, 0, other, 0, length) !== 0) return false;
      if (length === 0) return true;
      at += length;
    }
  } finally {
    for (const handle of handles) await handle.close();
  }
}
