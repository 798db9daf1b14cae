import { baseName } from './posixPath.ts';

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const MAX_NAME_LENGTH = 32;

/** A name for a folder that tells it from all others (FNV-1a of its path) and that a person recognises. */
export function workspaceKey(path: string): string {
  const name = baseName(path).replace(/[^A-Za-z0-9]+/g, '_');
  return `${name.slice(0, MAX_NAME_LENGTH) || 'root'}-${hashOf(path)}`;
}

/** 16 hexadecimal digits. */
export function hashOf(text: string): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return hash.toString(16).padStart(16, '0');
}
