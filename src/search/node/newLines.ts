import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;
/** A record longer than this is none of ours. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** How much before the end of what was read is remembered, to notice that it is another file. */
const MARK_BYTES = 256;
const NEWLINE = 0x0a;

/** How far a file has been read. */
export interface ReadPlace {
  readonly offset: number;
  /** Stands for the file and the last bytes before the offset: one that was written anew may be as long. */
  readonly mark: string;
}

export const START: ReadPlace = { offset: 0, mark: '' };

export interface NewLines {
  /** Those before are not in the file any more: all of it comes again. */
  readonly isAnew: boolean;
  readonly lines: readonly string[];
  readonly place: ReadPlace;
  readonly isDone: boolean;
}

/** The next whole lines of a file that only grows, or was replaced; nothing when there is no such file. */
export async function readNewLines(file: string, before: ReadPlace): Promise<NewLines | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { size, ino } = await handle.stat();
    const mark = size < before.offset ? undefined : await markAt(handle, ino, before.offset);
    const isSame = mark === before.mark;
    const from = isSame ? before.offset : 0;
    const { bytes, isDone } = await readLines(handle, from, size);
    const offset = from + bytes.length;
    return {
      isAnew: !isSame,
      lines: bytes.toString('utf8').split('\n').filter(Boolean),
      place: { offset, mark: await markAt(handle, ino, offset) },
      isDone,
    };
  } finally {
    await handle.close();
  }
}

/** About a chunk, up to the end of a line; a line that goes on and on is left out. */
async function readLines(
  handle: FileHandle,
  from: number,
  size: number,
): Promise<{ bytes: Buffer; isDone: boolean }> {
  for (let length = CHUNK_BYTES; ; length *= 2) {
    const buffer = Buffer.alloc(Math.min(length, size - from));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const end = buffer.lastIndexOf(NEWLINE, bytesRead - 1) + 1;
    const isAll = from + bytesRead >= size;
    if (end > 0 || isAll) return { bytes: buffer.subarray(0, end), isDone: isAll };
    if (length > MAX_LINE_BYTES) return { bytes: Buffer.alloc(bytesRead), isDone: false };
  }
}

async function markAt(handle: FileHandle, inode: number, offset: number): Promise<string> {
  if (offset === 0) return '';
  const length = Math.min(MARK_BYTES, offset);
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, offset - length);
  return createHash('sha256').update(`${inode} `).update(buffer).digest('hex');
}
