import { errorCode } from '../../../base/errors.ts';
import type { GitPorts } from '../gitPorts.ts';

/** Returns a text that differs if the file was changed or replaced; empty if it is missing. */
export async function statFingerprint(
  { ports }: { readonly ports: GitPorts },
  path: string,
): Promise<string> {
  try {
    const { inode, size, mtimeNs, ctimeNs } = await ports.files.stat(path);
    return `${inode} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    // Untested: an error without a code is a bug and fails the scan; nothing counts as unchanged.
    if (errorCode(error) === undefined) throw error;
    return '';
  }
}
