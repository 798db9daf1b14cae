import { UserError } from '../../../base/errors.ts';
import type { TakenSnapshot, TakeRequest } from '../../common/provider.ts';
import { joinPath } from '../../common/posixPath.ts';
import { countChanges } from '../objects/countChanges.ts';
import type { GitPorts } from '../gitPorts.ts';
import { listSnapshots } from '../objects/gitRetention.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { limitOmissions } from './omissionList.ts';
import type { ScanState } from './scanState.ts';
import { identityOf } from './stateIdentity.ts';
import { nameOf, readRecord, writeRecord } from '../objects/gitSnapshotRecord.ts';
import type { GitParts, ScanWithModes, WorkspaceScanner } from './workspaceScanner.ts';

/** Stores the scanned state as a snapshot, unless it equals the last one. */
export async function storeSnapshot(
  { ports, store, limits, scanner }: GitParts & { readonly scanner: WorkspaceScanner },
  state: ScanState,
  scan: ScanWithModes,
  request: TakeRequest,
): Promise<TakenSnapshot> {
  const omissions = limitOmissions(scan.omissions, limits.maxOmissions);
  const identity = identityOf(ports.coding, scan);
  const { files, modes, nested, recheck } = scan;
  const counted = state.last && countChanges(store, state.last.files, files);
  // The last snapshot may have been removed; then use the scan's count.
  const changed = (await counted?.catch(() => undefined)) ?? scan.changed;
  const stats = { changed, bytes: scan.bytes };
  const isUnchanged =
    state.last?.identity === identity && (await isTaken(ports, store, nameOf(state.last.ref)));
  let ref = state.last?.ref ?? '';
  request.signal.throwIfAborted();
  if (!isUnchanged) {
    // Don't replace an existing snapshot: sessions may refer to it.
    if (await isTaken(ports, store, request.name))
      throw new UserError('snapshot-exists', `Snapshot ${request.name} already exists.`);
    const commit = await writeRecord(
      store,
      {
        version: 1,
        name: request.name,
        label: request.label,
        files,
        prefix: scan.prefix,
        repositories: scan.repositories,
        omissions,
        modes: { umask: modes.umask, tree: modes.tree },
      },
      ports.clock.nowNs(),
    );
    request.signal.throwIfAborted();
    store.setRef(`snapshots/${request.name}`, commit);
    store.setRef('cache/last', files);
    if (modes.tree) store.setRef('cache/modes', modes.tree);
    // The snapshot exists from here on.
    await store.publish();
    ref = `${request.name}@${commit}`;
  }
  await scanner.recordTaken(
    { ...state, modes, ...(scan.unsure && { unsure: scan.unsure }) },
    { ref, identity, files, nested, recheck, omissions },
    scan.omissions,
  );
  return { ref, isUnchanged, stats, omissions, ...(scan.isPartial && { isPartial: true }) };
}

/** Finds a snapshot by the first of these names that a snapshot has. */
export async function findExisting(
  store: ObjectStore,
  names: readonly string[],
): Promise<TakenSnapshot | undefined> {
  if (names.length === 0) return undefined;
  const refs = new Map((await listSnapshots(store)).map(({ ref }) => [nameOf(ref), ref]));
  const ref = names.map((name) => refs.get(name)).find((each) => each !== undefined);
  if (ref === undefined) return undefined;
  const { omissions } = await readRecord(store, ref);
  return { ref, isUnchanged: true, stats: {}, omissions };
}

async function isTaken(
  { files }: GitPorts,
  { gitDir }: ObjectStore,
  name: string,
): Promise<boolean> {
  try {
    await files.stat(joinPath(gitDir, `refs/snapshots/${name}`));
    return true;
  } catch {
    return false; // The reference does not exist.
  }
}
