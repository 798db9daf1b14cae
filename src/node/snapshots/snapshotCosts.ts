import type { SnapshotProvider } from '../../snapshots/provider.ts';
import type { CataloguedSession } from '../sessions/catalogue.ts';
import { readSnapshots } from './snapshotsFile.ts';

/** What the snapshots of a session cost. */
export interface SnapshotCost {
  readonly count: number;
  /** What removing all of them would free: what other sessions need too is not in it. */
  readonly bytes: number;
}

export async function sessionCost(
  { folder }: Pick<CataloguedSession, 'folder'>,
  provider: SnapshotProvider,
): Promise<SnapshotCost> {
  const refs = new Set(
    (await readSnapshots(folder)).flatMap(({ files }) =>
      files.state === 'kept' && files.provider === provider.name ? [files.ref] : [],
    ),
  );
  return { count: refs.size, bytes: refs.size > 0 ? await provider.cost([...refs]) : 0 };
}

/** What all snapshots of a workspace cost together. */
export async function workspaceCost(provider: SnapshotProvider): Promise<SnapshotCost> {
  const refs = await provider.list();
  return { count: refs.length, bytes: refs.length > 0 ? await provider.cost(refs) : 0 };
}
