import { baseName, parentOf } from './posixPath.ts';

/**
 * In an order for lists that are cut: what there is least of comes first, then what comes first by its path. Nobody finds the one
 * `.env` behind a thousand objects of a build. Of one kind is what has the same ending; where there is none, what has the same
 * name, as `node_modules`, or is beside others without, as programs are.
 */
export function rarestFirst(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const kinds = paths.map(kindsOf);
  for (const kind of kinds.flat()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return paths
    .map((path, at) => ({ path, count: Math.max(...kinds[at]!.map((kind) => counts.get(kind)!)) }))
    .sort((a, b) => a.count - b.count || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

function kindsOf(path: string): string[] {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  // No name has a slash: no folder is taken for one.
  return dot < 0 ? [name, `${parentOf(path)}/`] : [name.slice(dot)];
}
