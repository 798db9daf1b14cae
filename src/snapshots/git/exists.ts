import { errorCode } from '../../base/errors.ts';
import type { GitPorts } from './gitPorts.ts';

export async function exists({ files }: GitPorts, path: string): Promise<boolean> {
  try {
    await files.stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
