import { spawnSync } from 'node:child_process';
import { until } from '../ah.ts';

/** Waits until no process uses the file system: a killed one may still be ending. */
export async function unmount(folder: string): Promise<void> {
  const isFree = () => spawnSync('umount', [folder]).status === 0;
  await until(isFree, `${folder} to be free`);
}
