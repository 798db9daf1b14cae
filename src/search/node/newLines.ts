import { errorCode } from '../../base/errors.ts';
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;
/** Longer lines are skipped; the recorder writes none. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Number of bytes before the offset that are compared, to notice that the file was replaced. */
const MARK_BYTES = 256;
const NEWLINE = 0x0a;

/**
 * How far a file has been read. The index stores this place between reads, whereas a `LineTail`
 * keeps the file open.
 */
export interface ReadPlace {
  readonly offset: number;
  /** A hash of the inode and the last bytes before the offset. */
  readonly mark: string;
}

export const START: ReadPlace = { offset: 0, mark: '' };

export interface NewLines {
  /** Whether the file was replaced, so that these lines are its first. */
  readonly isReplaced: boolean;
  readonly lines: readonly string[];
  readonly place: ReadPlace;
  readonly isDone: boolean;
}

/** Reads the next complete lines of a growing or replaced file; undefined when there is no file. */
export async function readNewLines(file: string, before: ReadPlace): Promise<NewLines | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
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
      isReplaced: !isSame,
      lines: bytes.toString('utf8').split('\n').filter(Boolean),
      place: { offset, mark: await markAt(handle, ino, offset) },
      isDone,
    };
  } finally {
    await handle.close();
  }
}

/**
 * Reads about one chunk, up to the end of a line; skips a line that is too long. Doesn't use
 * `LineSplitter`, which does not tell at which offset a line ends, where the next read must begin.
 */
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
