import { pathFromBytes, pathToBytes } from '../../pathBytes.ts';

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
      mode: String.fromCharCode(...bytes.subarray(at, space)),
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
  const out: number[] = [];
  for (const { item, name } of named) {
    for (const character of item.mode) out.push(character.charCodeAt(0));
    out.push(32, ...name, 0);
    for (let at = 0; at < item.oid.length; at += 2)
      out.push(parseInt(item.oid.slice(at, at + 2), 16));
  }
  return new Uint8Array(out);
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    if (a[at] !== b[at]) return a[at]! - b[at]!;
  }
  return a.length - b.length;
}

function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
