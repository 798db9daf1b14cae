import { errorCode } from '../../../base/errors.ts';
import { inParallel } from '../../common/inParallel.ts';
import { lostError } from '../../common/lostSnapshot.ts';
import { joinPath } from '../../common/posixPath.ts';
import { GitFailure } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import { commitOf, nameOf } from './gitSnapshotRecord.ts';
import { addLost } from './lostSnapshots.ts';
import type { ObjectStore } from './objectStore.ts';
import { listLoose } from './stagedObjects.ts';

const decoder = new TextDecoder();
/** How many objects to read at once: few, because each may be large. */
const READ_CONCURRENCY = 4;
const SNAPSHOTS = 'refs/snapshots';
const CACHE = 'refs/cache';

/**
 * Repairs a store after a power cut. Older versions wrote each object to a file of its own and did
 * not wait for the disk: such files and references may be empty or cut off, and git would take them
 * for objects that exist. Removes them, notes which snapshots are lost, and packs the rest. A store
 * without separate files costs one git command. The caller holds the lock.
 * @returns whether anything was damaged: then our indexes may refer to missing objects
 */
export async function mendStore(ports: GitPorts, store: ObjectStore): Promise<boolean> {
  const loose = await listLoose(ports, joinPath(store.gitDir, 'objects'));
  const hadDamaged = await removeDamaged(ports, store, loose);
  const isDamaged = hadDamaged || !(await areReferencesSound(store));
  if (isDamaged) {
    // References of our cache protect objects that no longer exist.
    await ports.files.removeTree(joinPath(store.gitDir, CACHE));
    await removeLost(ports, store);
    store.forget();
  }
  // If packing fails, for example because the disk is full, the objects stay as they are.
  if (loose.length > 0) await store.mergeSmallPacks().catch(passUnlessFailed);
  return isDamaged;
}

/**
 * Reads everything that a snapshot consists of.
 * @throws UserError `snapshot-lost` if something is missing or damaged
 */
export async function proveSnapshot(store: ObjectStore, ref: string): Promise<void> {
  if (await store.isLost(nameOf(ref))) throw lostError();
  const args = ['rev-list', '--objects', '--no-object-names', commitOf(ref)];
  const listed = await store.git(args).catch((error: unknown) => {
    if (error instanceof GitFailure) throw lostError(error);
    throw error;
  });
  for (const oid of decoder.decode(listed.stdout).split('\n').filter(Boolean)) {
    const found = await store.readAny(oid);
    if (!found || store.hashOf(found.type, found.bytes) !== oid) throw lostError();
  }
}

/** @returns whether there was a damaged object */
async function removeDamaged(
  { files, coding }: GitPorts,
  store: ObjectStore,
  loose: readonly string[],
): Promise<boolean> {
  let hasDamaged = false;
  await inParallel(loose, READ_CONCURRENCY, async (oid) => {
    const file = joinPath(store.gitDir, `objects/${oid.slice(0, 2)}/${oid.slice(2)}`);
    try {
      const bytes = await files.read(file).then((read) => coding.inflate(read), undefinedIfDamaged);
      if (bytes && coding.hash(store.format, [bytes]) === oid) return;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return; // An older version packed it meanwhile.
      undefinedIfDamaged(error);
    }
    hasDamaged = true;
    await files.remove(file);
  });
  return hasDamaged;
}

function passUnlessFailed(error: unknown): void {
  if (!(error instanceof GitFailure)) throw error;
}

/** Throws errors that do not mean damage, such as a missing permission. */
function undefinedIfDamaged(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== 'EIO' && !code?.startsWith('Z_')) throw error;
}

async function areReferencesSound(store: ObjectStore): Promise<boolean> {
  try {
    // Fails if a reference names a missing object, and warns of references without an object ID.
    const { stderr } = await store.git(['for-each-ref', '--format=%(objecttype)']);
    return !/broken ref/.test(stderr);
  } catch (error) {
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/** Removes the references of snapshots that lack objects. */
async function removeLost(ports: GitPorts, store: ObjectStore): Promise<void> {
  const folder = joinPath(store.gitDir, SNAPSHOTS);
  const lost: string[] = [];
  for (const { name } of await ports.files.list(folder)) {
    const commit = decoder.decode(await ports.files.read(joinPath(folder, name))).trim();
    const isWhole = /^[0-9a-f]{40,64}$/.test(commit) && (await isComplete(store, commit));
    if (!isWhole) lost.push(name);
  }
  await addLost(ports, store.gitDir, lost);
  for (const name of lost) await ports.files.remove(joinPath(folder, name));
}

async function isComplete(store: ObjectStore, commit: string): Promise<boolean> {
  const { exitCode } = await store.attempt(['rev-list', '--objects', '--quiet', commit]);
  return exitCode === 0;
}
