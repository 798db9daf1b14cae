import { constants } from 'node:fs';
import { chmod, lstat, open } from 'node:fs/promises';

/** Linux's `O_PATH`, which Node lacks: refers to a file without a permission for the file. */
export const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;

/** Changes the permissions of a file or folder; does nothing to a link or to where it leads. */
export async function changeMode(path: string | Buffer, mode: number): Promise<void> {
  if (process.platform !== 'linux') {
    if (!(await lstat(path)).isSymbolicLink()) await chmod(path, mode);
    return;
  }
  const handle = await open(path, O_PATH | constants.O_NOFOLLOW);
  try {
    if (!(await handle.stat()).isSymbolicLink()) await chmod(`/proc/self/fd/${handle.fd}`, mode);
  } finally {
    await handle.close();
  }
}
