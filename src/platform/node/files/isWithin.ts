import path from 'node:path';

/** Whether a path is the folder or inside of it. Compares only names: does not follow links. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  // `..x` is an ordinary name.
  const isAbove = relative === '..' || relative.startsWith(`..${path.sep}`);
  return !isAbove && !path.isAbsolute(relative);
}
