import { compareBytes } from '../../../base/bytes.ts';
import { pathFromBytes, pathToBytes } from '../../common/pathBytes.ts';

export const MODE_FOLDER = '40000';
export const MODE_FILE = '100644';
export const MODE_EXECUTABLE = '100755';
export const MODE_LINK = '120000';

/** An entry of a tree. */
export interface TreeItem {
  readonly mode: string;
  readonly oid: string;
}

/** @throws if it is not a tree */
export function parseTree(bytes: Uint8Array, oidBytes: number): Map<string, TreeItem> {
  const items = new Map<string, TreeItem>();
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(32, at);
    const zero = bytes.indexOf(0, space);
    const end = zero + 1 + oidBytes;
    if (space < 0 || zero < 0 || end > bytes.length) throw new Error('A tree object is damaged.');
    items.set(pathFromBytes(bytes.subarray(space + 1, zero)), {
      mode: textOf(bytes.subarray(at, space)),
      oid: toHex(bytes.subarray(zero + 1, end)),
    });
    at = end;
  }
  return items;
}

export function formatTree(items: ReadonlyMap<string, TreeItem>): Uint8Array {
  const named = Array.from(items, ([name, item]) => ({
    item,
    name: pathToBytes(name),
    // git sorts a folder's name as if it ended with a slash.
    key: pathToBytes(item.mode === MODE_FOLDER ? `${name}/` : name),
  })).sort((a, b) => compareBytes(a.key, b.key));
  const length = named.reduce(
    (sum, { item, name }) => sum + item.mode.length + name.length + 2 + item.oid.length / 2,
    0,
  );
  const out = new Uint8Array(length);
  let to = 0;
  for (const { item, name } of named) {
    for (let at = 0; at < item.mode.length; at += 1) out[to++] = item.mode.charCodeAt(at);
    out[to++] = 32;
    out.set(name, to);
    to += name.length + 1;
    for (let at = 0; at < item.oid.length; at += 2)
      out[to++] = (digitAt(item.oid, at) << 4) | digitAt(item.oid, at + 1);
  }
  return out;
}

const DIGITS = new TextEncoder().encode('0123456789abcdef');

/**
 * Builds the string in one piece: concatenated strings take several times the memory, and thousands
 * of these are cached.
 */
function toHex(bytes: Uint8Array): string {
  // The `!`s: the index is below the length, and half a byte is below 16, the number of digits.
  const digits = new Uint8Array(bytes.length * 2);
  for (let at = 0; at < bytes.length; at += 1) {
    digits[at * 2] = DIGITS[bytes[at]! >> 4]!;
    digits[at * 2 + 1] = DIGITS[bytes[at]! & 15]!;
  }
  return textOf(digits);
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
}
