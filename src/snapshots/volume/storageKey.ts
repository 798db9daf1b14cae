import { baseName } from '../common/posixPath.ts';

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const MAX_NAME_LENGTH = 32;

/**
 * Returns a readable, unique name for a folder (FNV-1a of its path).
 * @param owner the data folder of the snapshots' owner, if several owners share a location: no
 * owner may take another's snapshots for garbage
 */
export function storageKey(path: string, owner?: string): string {
  const name = baseName(path).replace(/[^A-Za-z0-9]+/g, '_');
  return `${name.slice(0, MAX_NAME_LENGTH) || 'root'}-${hashOf(ownedName(path, owner))}`;
}

/** Returns the text to hash, which differs for each owner of snapshots of the same folder. */
export function ownedName(path: string, owner: string | undefined): string {
  return owner === undefined ? path : `${path}\n${owner}`;
}

/** Returns 16 hexadecimal digits. */
export function hashOf(text: string): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return hash.toString(16).padStart(16, '0');
}
