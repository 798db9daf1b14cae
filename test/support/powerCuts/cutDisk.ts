import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Random } from '../random.ts';
import { readEvents, type DiskEvent } from './diskLog.ts';
import { copySparse, type LoggedDisk } from './loggedDisk.ts';

/** Disks lose whole sectors, not bytes. */
const SECTOR_BYTES = 4096;

/** A disk after a power cut, mounted. */
export class CutDisk {
  readonly folder: string;
  /** The marks that were in the log before the cut. */
  readonly marks: readonly string[];
  readonly #scratch: string;

  /**
   * @param disk must have been stopped
   * @param eventCount how many events of the log happened before the cut. Of the writes since the
   *   last flush among them, a random part is lost.
   */
  constructor(disk: LoggedDisk, eventCount: number, random: Random) {
    this.#scratch = mkdtempSync(path.join(tmpdir(), 'ah-cut-'));
    const image = path.join(this.#scratch, 'image');
    copySparse(disk.base, image);
    this.marks = replay(disk.log, image, eventCount, random);
    // Sessions and stores name their folders by absolute paths.
    this.folder = disk.folder;
    execFileSync('mount', ['-t', disk.fileSystem, '-o', 'loop', image, this.folder]);
  }

  dispose(): void {
    execFileSync('umount', [this.folder]);
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}

export function countEvents(log: string): number {
  return withFile(log, 'r', (fd) => [...kindsOf(fd)].length);
}

function* kindsOf(fd: number): Generator<DiskEvent['kind']> {
  for (const { kind } of readEvents(fd)) yield kind;
}

/** @returns the marks before the cut */
function replay(log: string, image: string, eventCount: number, random: Random): string[] {
  const marks: string[] = [];
  let unflushed: Extract<DiskEvent, { kind: 'write' }>[] = [];
  withFile(log, 'r', (logFd) =>
    withFile(image, 'r+', (imageFd) => {
      const write = (data: Buffer, offset: number) =>
        writeSync(imageFd, data, 0, data.length, offset);
      let count = 0;
      for (const event of readEvents(logFd)) {
        if (++count > eventCount) break;
        if (event.kind === 'write') unflushed.push(event);
        else if (event.kind === 'mark') marks.push(event.text);
        else {
          for (const { data, offset } of unflushed) write(data, offset);
          unflushed = [];
        }
      }
      // 0: all writes since the flush are lost; 100: none is.
      const keptPercent = random.below(101);
      for (const { data, offset } of unflushed)
        for (let at = 0; at < data.length; at += SECTOR_BYTES)
          if (random.chance(keptPercent)) write(data.subarray(at, at + SECTOR_BYTES), offset + at);
    }),
  );
  return marks;
}

function withFile<T>(file: string, flags: string, use: (fd: number) => T): T {
  const fd = openSync(file, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
