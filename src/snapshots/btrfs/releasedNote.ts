import type { Files } from '../common/ports.ts';
import { errorCode } from '../volume/errorCode.ts';
import type { ReleasedVersion } from './releasedVersions.ts';
import type { Slot } from './store.ts';

/** What a snapshot has and the next one has not, beside it on the disk. Of no use when the next one is another by now. */
export interface ReleasedNote {
  /** The reference of the snapshot that it was compared with. */
  readonly next: string;
  readonly versions: readonly ReleasedVersion[];
}

/** A file of its own: when the snapshot was taken is told by the time of the other note. */
const NAME = 'released.json';

export async function writeReleasedNote(
  files: Files,
  { folder }: Slot,
  { next, versions }: ReleasedNote,
): Promise<void> {
  const said = { next, versions: versions.map(({ sinceNs, bytes }) => [String(sinceNs), bytes]) };
  await files.write(`${folder}/${NAME}`, new TextEncoder().encode(JSON.stringify(said)));
}

/** Undefined when there is none, or a damaged one. */
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
