import path from 'node:path';

/** Whether a path is that of a folder or of something in it, by their names alone. `..x` is a name like any other. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  const isAbove = relative === '..' || relative.startsWith(`..${path.sep}`);
  return !isAbove && !path.isAbsolute(relative);
}
