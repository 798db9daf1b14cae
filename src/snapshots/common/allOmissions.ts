import { isInside } from './pathBelow.ts';
import type { Omission, SnapshotProvider } from './provider.ts';

/** What a snapshot left out; where it could not name all that is ignored, and counted the rest, all that is ignored by now. */
export async function allOmissions(
  omissions: readonly Omission[],
  provider: Pick<SnapshotProvider, 'ignored'>,
  signal: AbortSignal,
): Promise<readonly Omission[]> {
  const said = omissions.filter(({ path, reason }) => path !== '' || reason !== 'ignored');
  if (said.length === omissions.length || !provider.ignored) return omissions;
  const known = new Set(said.flatMap(({ path }) => (path === '' ? [] : [path])));
  const others = (await provider.ignored(signal)).filter((path) => !isInside(known, path));
  return [...said, ...others.map((path): Omission => ({ path, reason: 'ignored' }))];
}
