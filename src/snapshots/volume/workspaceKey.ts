import { baseName } from '../common/posixPath.ts';

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const MAX_NAME_LENGTH = 32;

/**
 * A name for a folder that tells it from all others (FNV-1a of its path) and that a person recognises.
 * @param owner whose data says what is needed, where others keep theirs in the same place: what he does not know is not garbage
 */
export function workspaceKey(path: string, owner?: string): string {
  const name = baseName(path).replace(/[^A-Za-z0-9]+/g, '_');
  return `${name.slice(0, MAX_NAME_LENGTH) || 'root'}-${hashOf(ownedName(path, owner))}`;
}

/** What is hashed for one of several owners of states of the same folder. */
export function ownedName(path: string, owner: string | undefined): string {
  return owner === undefined ? path : `${path}\n${owner}`;
}

/** 16 hexadecimal digits. */
export function hashOf(text: string): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return hash.toString(16).padStart(16, '0');
}
