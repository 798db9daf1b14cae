import { pathFromBytes, pathToBytes } from '../../common/pathBytes.ts';

export const MODE_FOLDER = '40000';
export const MODE_FILE = '100644';
export const MODE_EXECUTABLE = '100755';
export const MODE_LINK = '120000';

/** What a tree says about a name. */
export interface TreeItem {
  readonly mode: string;
  readonly oid: string;
}

/** @throws when it is not a tree */
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
    // Git compares a folder's name as if it ended with a slash.
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

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    if (a[at] !== b[at]) return a[at]! - b[at]!;
  }
  return a.length - b.length;
}

const DIGITS = new TextEncoder().encode('0123456789abcdef');

/** In one piece: a text that is put together of many takes up many times the memory, and thousands of these are remembered. */
function toHex(bytes: Uint8Array): string {
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
