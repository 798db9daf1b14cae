import { nodeFiles } from '../../../platform/node/files/files.ts';
import { selectSnapshotProvider } from '../open/openProviders.ts';
import { gitStorage } from '../open/providerDetectors.ts';

/** Removes all snapshots of a folder that is about to be deleted, and their storage. */
export async function deleteSnapshots(folder: string): Promise<void> {
  const { provider } = await selectSnapshotProvider(folder);
  if (!provider) return;
  try {
    // The whole storage is deleted next: removing its snapshots first would only waste time on
    // repacking it.
    if (provider.releaseExternalRefs) await provider.releaseExternalRefs();
    else await provider.remove(await provider.list());
  } finally {
    provider.dispose();
  }
  if (provider.name !== 'git') return;
  await nodeFiles.removeTree(gitStorage(await nodeFiles.realPath(folder)));
}
