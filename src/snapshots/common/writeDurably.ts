import { parentOf } from './posixPath.ts';
import type { Files } from './ports.ts';

/**
 * Creates or replaces a small file that is on disk, with its name, when this returns. A power cut
 * leaves the old file or the new one, never an empty one.
 * @param draft a path on the same disk
 */
export async function writeDurably(
  files: Files,
  path: string,
  bytes: Uint8Array,
  draft: string,
): Promise<void> {
  await files.write(draft, bytes);
  await files.sync(draft);
  await files.rename(draft, path);
  await files.sync(parentOf(path));
}
