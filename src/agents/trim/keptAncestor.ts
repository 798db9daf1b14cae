/**
 * Returns the nearest kept record, beginning with `parent` and going up. Parents may form a cycle.
 */
export function keptAncestor(
  parent: string | undefined,
  parentOf: (id: string) => string | undefined,
  kept: ReadonlySet<string>,
): string | undefined {
  const seen = new Set<string>();
  let id = parent;
  while (id !== undefined && !kept.has(id) && !seen.has(id)) {
    seen.add(id);
    id = parentOf(id);
  }
  return id !== undefined && kept.has(id) ? id : undefined;
}
