import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** A link that took a file's place must not lead elsewhere, and a pipe must not make us wait. */
export const SAFE_READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const PIECE_BYTES = 1024 * 1024;

/** Compares piece by piece: a file may be larger than memory. */
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
      const [read, also] = await Promise.all([filled(first, a, at), filled(second, b, at)]);
      if (read !== also || a.compare(b, 0, also, 0, read) !== 0) return false;
      if (read === 0) return true;
      at += read;
    }
  } finally {
    for (const handle of handles) await handle.close();
  }
}

/** A read may bring less than there is. */
async function filled(handle: FileHandle, piece: Buffer, from: number): Promise<number> {
  let length = 0;
  while (length < piece.length) {
    const { bytesRead } = await handle.read(piece, length, piece.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}
