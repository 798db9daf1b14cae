/** Functions for paths with `/`: Btrfs and ZFS exist only on systems with such paths. */

export function joinPath(folder: string, relative: string): string {
  if (relative === '') return folder;
  return folder === '/' ? `/${relative}` : `${folder}/${relative}`;
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the path below a folder, `''` for the folder itself, undefined for other paths. */
export function relativeTo(folder: string, path: string): string | undefined {
  if (path === folder) return '';
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** Like {@link relativeTo} for relative paths, where `''` is the root. */
export function relativeWithin(folder: string, path: string): string | undefined {
  return folder === '' ? path : relativeTo(folder, path);
}
