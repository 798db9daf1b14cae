import { errorCode } from '../../volume/errorCode.ts';
import type { ScanContext } from './workTree.ts';

/** Differs when the file was changed or replaced; empty when it is not there. */
export async function statFingerprint(
  { ports }: Pick<ScanContext, 'ports'>,
  path: string,
): Promise<string> {
  try {
    const { inode, size, mtimeNs, ctimeNs } = await ports.files.stat(path);
    return `${inode} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    // Untested: a bug's error fails the scan; nothing counts as unchanged.
    if (errorCode(error) === undefined) throw error;
    return '';
  }
}
