import { baseName, parentOf } from './posixPath.ts';

/**
 * Sorts paths for lists that are cut: paths of a rare kind first, then by path, so that a single
 * `.env` comes before a thousand build objects. Paths with the same extension are of one kind;
 * paths without an extension are of one kind if they have the same name (`node_modules`) or the
 * same parent (`bin/…`).
 */
export function rarestFirst(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const known = paths.map((path) => ({ path, kinds: kindsOf(path) }));
  for (const kind of known.flatMap(({ kinds }) => kinds))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return known
    .map(({ path, kinds }) => ({
      path,
      count: Math.max(...kinds.map((kind) => counts.get(kind) ?? 0)),
    }))
    .sort((a, b) => a.count - b.count || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

function kindsOf(path: string): string[] {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  // File names contain no slash, so a folder can't be confused with a file name.
  return dot < 0 ? [name, `${parentOf(path)}/`] : [name.slice(dot)];
}
