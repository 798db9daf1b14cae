import { mkdirSync, writeFileSync } from 'node:fs';

/** Fills a disk: large files for the data, small ones for the metadata. */
export function fillUp(folder: string): void {
  mkdirSync(folder);
  for (const [prefix, bytes] of [
    ['l', 4 << 20],
    ['m', 64 << 10],
    ['s', 1800],
    ['t', 1],
  ] as const) {
    try {
      for (let count = 0; ; count++)
        writeFileSync(`${folder}/${prefix}${count}`, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
