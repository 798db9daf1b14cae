import { isInside } from './pathBelow.ts';
import type { Omission, SnapshotProvider } from './provider.ts';

/** Lists what a snapshot omitted. If the list was cut, adds every path that is ignored now. */
export async function allOmissions(
  omissions: readonly Omission[],
  provider: Pick<SnapshotProvider, 'ignored'>,
  signal: AbortSignal,
): Promise<readonly Omission[]> {
  const named = omissions.filter(({ path, reason }) => path !== '' || reason !== 'ignored');
  if (named.length === omissions.length || !provider.ignored) return omissions;
  const known = new Set(named.flatMap(({ path }) => (path === '' ? [] : [path])));
  const others = (await provider.ignored(signal)).filter((path) => !isInside(known, path));
  return [...named, ...others.map((path): Omission => ({ path, reason: 'ignored' }))];
}
