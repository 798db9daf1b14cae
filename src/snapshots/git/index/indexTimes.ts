import { pathFromBytes, pathToBytes } from '../../common/pathBytes.ts';
import type { ObjectCoding } from '../../common/ports.ts';
import { IndexCursor, type IndexExtension } from './indexFile.ts';
import type { ObjectFormat } from '../objects/storeSkeleton.ts';
import { concatenate } from '../../../base/bytes.ts';

const TYPE_MASK = 0o170000;
const GITLINK = 0o160000;

/** Extensions that are valid only in the original folder, or that git recreates if missing. */
const LEFT_OUT = new Set(['UNTR', 'FSMN', 'EOIE', 'IEOT']);

export interface TimedIndex {
  readonly bytes: Uint8Array;
  /** Files whose bytes differ from the index. The user's filters may make them equal. */
  readonly doubtful: readonly string[];
}

/**
 * Updates the user's index for a folder that git has just written: entries with the same content
 * get the times of the written files, so that git need not read all files to detect changes.
 * @param index modified in place
 * @param written our index of the written files, with their times
 * @param prefix path of the user's top folder within `written`; `''` or ends in `/`
 * @returns undefined for an index that can't be updated
 */
export function withTimesOf(
  index: Uint8Array,
  written: Uint8Array,
  prefix: string,
  { coding, format }: { coding: ObjectCoding; format: ObjectFormat },
): TimedIndex | undefined {
  const oidBytes = format === 'sha256' ? 32 : 20;
  const own = IndexCursor.open(index, oidBytes);
  const files = IndexCursor.open(written, oidBytes);
  if (!own || !files) return undefined;
  try {
    const doubtful = copyTimes(own, files, pathToBytes(prefix));
    const extensions = own.extensions();
    if (!extensions.every(canBeKept)) return undefined;
    const kept = extensions.filter(({ name }) => !LEFT_OUT.has(name));
    const parts = [index.subarray(0, own.end), ...kept.map(({ bytes }) => bytes)];
    return { bytes: concatenate([...parts, fromHex(coding.hash(format, parts))]), doubtful };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * An extension with a lowercase name changes the meaning of the index. For example, a split index
 * has its entries in another file.
 */
function canBeKept({ name }: IndexExtension): boolean {
  return /^[A-Z]/.test(name) || name === 'sdir';
}

function copyTimes(own: IndexCursor, files: IndexCursor, prefix: Uint8Array): string[] {
  const doubtful: string[] = [];
  let hasFile = files.next();
  while (own.next()) {
    if (own.stage !== 0 || own.isPlaceholder || (own.mode & TYPE_MASK) === GITLINK) continue;
    let order = hasFile ? files.compareTo(prefix, own) : 1;
    while (order < 0) {
      hasFile = files.next();
      order = hasFile ? files.compareTo(prefix, own) : 1;
    }
    const isThere = order === 0;
    const isSameKind = isThere && (files.mode & TYPE_MASK) === (own.mode & TYPE_MASK);
    if (isSameKind && own.hasSameObject(files)) {
      own.copyStat(files);
    } else {
      own.clearStat();
      if (isThere) doubtful.push(pathFromBytes(own.path));
    }
  }
  return doubtful;
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
