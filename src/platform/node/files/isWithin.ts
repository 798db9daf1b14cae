import path from 'node:path';

/** Whether a path is a folder or inside of it, by name only: links are not followed. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  // `..x` is an ordinary name.
  const isAbove = relative === '..' || relative.startsWith(`..${path.sep}`);
  return !isAbove && !path.isAbsolute(relative);
}
