import { open } from 'node:fs/promises';

/** A part of a file, decoded as UTF-8. */
export interface FilePart {
  readonly text: string;
  /** Whether the file has bytes before the part. */
  readonly isCut: boolean;
}

/**
 * Reads the start or end of a file; undefined when it can't be opened, since agents delete files.
 */
export async function readFilePart(
  file: string,
  part: 'start' | 'end',
  maxBytes: number,
): Promise<FilePart | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return undefined;
  try {
    const from = part === 'start' ? 0 : Math.max(0, (await handle.stat()).size - maxBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, from);
    return { text: buffer.toString('utf8', 0, bytesRead), isCut: from > 0 };
  } finally {
    await handle.close();
  }
}
