import { open, readFile, stat } from 'node:fs/promises';
import { errorCode } from '../../../base/errors.ts';
import { changedRanges, FILLER, type ByteRange } from '../../common/byteRanges.ts';
import { withoutText } from '../textForms.ts';
import type { ScrubChange } from './scrubJournal.ts';

type Fill = Extract<ScrubChange, { kind: 'fill' }>;

/** Finds the text in a file. @returns undefined if the file does not have it */
export async function planFill(file: string, forms: readonly Buffer[]): Promise<Fill | undefined> {
  const before = await readFile(file);
  const safe = withoutText(before, forms);
  if (!safe) return undefined;
  const ranges = changedRanges(before, safe);
  return { kind: 'fill', file, inode: await inodeOf(file), ranges };
}

/** @returns a sentence if the file was replaced since it was searched */
export async function fillFile({ file, inode, ranges }: Fill): Promise<string | undefined> {
  try {
    if ((await inodeOf(file)) !== inode) return `${file} was replaced meanwhile.`;
    await overwrite(file, ranges);
    return undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined; // Deleted meanwhile.
    throw error;
  }
}

async function overwrite(file: string, ranges: readonly ByteRange[]): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    for (const [offset, length] of ranges) {
      const end = Math.min(size, offset + length);
      if (end > offset) await handle.write(Buffer.alloc(end - offset, FILLER), 0, null, offset);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function inodeOf(file: string): Promise<string> {
  return String((await stat(file, { bigint: true })).ino);
}
