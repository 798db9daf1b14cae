import { errorCode } from '../../base/errors.ts';
import type { Files } from '../common/ports.ts';
import type { ReleasedVersion } from './releasedVersions.ts';
import type { Slot } from './store.ts';

/** Notes the content that a snapshot has and the next one lacks. Valid only for these two. */
export interface ReleasedNote {
  /** The reference of the next snapshot. */
  readonly next: string;
  readonly versions: readonly ReleasedVersion[];
}

/** Not part of `snapshot.json`, because that file's modification time is the snapshot's time. */
const NAME = 'released.json';

export async function writeReleasedNote(
  files: Files,
  { folder }: Slot,
  { next, versions }: ReleasedNote,
): Promise<void> {
  const encoded = {
    next,
    versions: versions.map(({ sinceNs, bytes }) => [String(sinceNs), bytes]),
  };
  await files.write(`${folder}/${NAME}`, new TextEncoder().encode(JSON.stringify(encoded)));
}

/** Returns undefined if there is no valid note. */
export async function readReleasedNote(
  files: Files,
  { folder }: Slot,
): Promise<ReleasedNote | undefined> {
  try {
    const text = new TextDecoder().decode(await files.read(`${folder}/${NAME}`));
    const { next, versions } = JSON.parse(text) as Record<string, unknown>;
    if (typeof next !== 'string' || !Array.isArray(versions)) return undefined;
    return { next, versions: versions.map(asVersion) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function asVersion(value: unknown): ReleasedVersion {
  const [sinceNs, bytes] = value as [unknown, unknown];
  if (typeof sinceNs !== 'string' || !Number.isSafeInteger(bytes)) throw new TypeError('damaged');
  return { sinceNs: BigInt(sinceNs), bytes: bytes as number };
}
