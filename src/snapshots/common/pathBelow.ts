/** Whether a path is one of the folders or below one. */
export function isInside(folders: ReadonlySet<string>, path: string): boolean {
  if (folders.has(path)) return true;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    if (folders.has(path.slice(0, slash))) return true;
  }
  return false;
}
