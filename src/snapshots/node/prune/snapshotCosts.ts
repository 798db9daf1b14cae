import type { SnapshotProvider } from '../../common/provider.ts';
import type { CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { readSnapshots } from '../list/snapshotsFile.ts';

/** What the snapshots of a session cost. */
export interface SnapshotCost {
  readonly count: number;
  /**
   * How many bytes removing all of them would free. Data shared with other sessions does not count.
   */
  readonly bytes: number;
}

/** @param providers all that have snapshots of the workspace */
export async function sessionCost(
  { folder }: Pick<CataloguedSession, 'folder'>,
  providers: readonly SnapshotProvider[],
  signal?: AbortSignal,
): Promise<SnapshotCost> {
  const lines = await readSnapshots(folder);
  const refsOf = ({ name }: SnapshotProvider) => {
    const refs = lines.flatMap(({ files }) =>
      files.state === 'kept' && files.provider === name ? [files.ref] : [],
    );
    return Promise.resolve([...new Set(refs)]);
  };
  return sumOf(providers, refsOf, signal);
}

/**
 * What all snapshots of a workspace cost together. @param providers all that have snapshots of it
 */
export function workspaceCost(providers: readonly SnapshotProvider[]): Promise<SnapshotCost> {
  return sumOf(providers, (provider) => provider.list());
}

async function sumOf(
  providers: readonly SnapshotProvider[],
  refsOf: (provider: SnapshotProvider) => Promise<readonly string[]>,
  signal?: AbortSignal,
): Promise<SnapshotCost> {
  let [count, bytes] = [0, 0];
  for (const provider of providers) {
    const refs = await refsOf(provider);
    count += refs.length;
    if (refs.length > 0) bytes += await provider.cost(refs, signal);
  }
  return { count, bytes };
}
