import { concatenate } from '../../../base/bytes.ts';
import type { ObjectCoding } from '../../common/ports.ts';

const TYPE_NUMBERS = { commit: 1, tree: 2, blob: 3 } as const;
/** Both file formats have version 2. */
const VERSION = 2;
const INDEX_MAGIC = 0xff744f63;
const FIRST_BYTES = 256;

export type ObjectType = keyof typeof TYPE_NUMBERS;

export interface PackedObject {
  readonly oid: string;
  readonly type: ObjectType;
  /** Length before compression. */
  readonly size: number;
  readonly deflated: Uint8Array;
}

export interface Pack {
  /** Without extension. */
  readonly name: string;
  readonly pack: Uint8Array;
  readonly index: Uint8Array;
}

/**
 * Encodes objects as a pack and its index, as in git's `gitformat-pack`, without deltas: starting
 * `git pack-objects` would take as long as the rest of a small snapshot. The pack must be smaller
 * than 2 GiB.
 */
export function formatPack(
  coding: ObjectCoding,
  algorithm: 'sha1' | 'sha256',
  objects: readonly PackedObject[],
): Pack {
  const sealed = (parts: readonly Uint8Array[]) => {
    const hash = coding.hash(algorithm, parts);
    return { hash, bytes: concatenate([...parts, bytesOf(hash)]) };
  };
  const head = concatenate([
    new TextEncoder().encode('PACK'),
    bigEndian([VERSION, objects.length]),
  ]);
  const parts = [head];
  const places: { oid: string; crc: number; offset: number }[] = [];
  let offset = head.length;
  for (const object of objects) {
    const entry = concatenate([entryHeader(object), object.deflated]);
    places.push({ oid: object.oid, crc: coding.crc32(entry), offset });
    parts.push(entry);
    offset += entry.length;
  }
  const pack = sealed(parts);
  places.sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const index = sealed([
    bigEndian([INDEX_MAGIC, VERSION, ...countsByFirstByte(places)]),
    ...places.map(({ oid }) => bytesOf(oid)),
    bigEndian(places.map(({ crc }) => crc)),
    bigEndian(places.map((place) => place.offset)),
    bytesOf(pack.hash),
  ]);
  return { name: `pack-${pack.hash}`, pack: pack.bytes, index: index.bytes };
}

/** The type and the low 4 bits of the size, then 7 bits per byte; the top bit says that more follow. */
function entryHeader({ type, size }: PackedObject): Uint8Array {
  const bytes: number[] = [];
  let byte = (TYPE_NUMBERS[type] << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 128);
    byte = rest & 127;
  }
  return Uint8Array.from([...bytes, byte]);
}

/** For each first byte, how many objects have it or a smaller one. */
function countsByFirstByte(places: readonly { readonly oid: string }[]): number[] {
  const counts = new Array<number>(FIRST_BYTES).fill(0);
  for (const { oid } of places) {
    // `??`: the first byte of an ID is below FIRST_BYTES.
    const first = parseInt(oid.slice(0, 2), 16);
    counts[first] = (counts[first] ?? 0) + 1;
  }
  let sum = 0;
  return counts.map((count) => (sum += count));
}

function bigEndian(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(numbers.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [at, number] of numbers.entries()) view.setUint32(at * 4, number);
  return bytes;
}

function bytesOf(oid: string): Uint8Array {
  const bytes = new Uint8Array(oid.length / 2);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = parseInt(oid.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}
