import { joinPath } from '../../common/posixPath.ts';
import type { UserRepository } from '../worktree/repository.ts';
import type { ObjectStore } from './objectStore.ts';

const encoder = new TextEncoder();
/** From this number on, one pack is cheaper than separate files. */
const PACK_FROM = 100;

interface CopyContext {
  readonly store: ObjectStore;
  readonly repository: UserRepository;
  readonly signal: AbortSignal;
}

/** Copies objects into our store, because the user's repository may drop staged content. */
export async function copyObjects(
  { store, repository, signal }: CopyContext,
  oids: readonly string[],
): Promise<{ present: string[]; missing: string[] }> {
  const present: string[] = [];
  const wanted: string[] = [];
  for (const oid of oids) {
    // Untested: stagedObjects yields only IDs of this length.
    if (oid.length !== store.oidBytes * 2) continue;
    ((await store.has(oid)) ? present : wanted).push(oid);
  }
  // The repository and our store use different hash formats, so object IDs don't match.
  if (repository.format !== store.format) return { present, missing: [...oids] };
  if (wanted.length === 0) return { present, missing: [] };
  const missing: string[] = [];
  // Run git in our store: in the user's repository, if it is a partial clone, git would fetch
  // missing objects, or fail.
  const objects = joinPath(repository.commonDir, 'objects');
  const reader = store.readerWith(objects);
  try {
    if (wanted.length >= PACK_FROM) {
      const there: string[] = [];
      for (const oid of wanted) ((await reader.info(oid)) ? there : missing).push(oid);
      const lines = there.map((oid) => `${oid}\n`).join('');
      await store.packFrom(objects, encoder.encode(lines), signal);
      for (const oid of there) present.push(oid);
    } else {
      for (const oid of wanted) {
        signal.throwIfAborted();
        const found = await reader.read(oid);
        if (found?.type !== 'blob') missing.push(oid);
        else present.push(await store.write('blob', found.bytes));
      }
    }
  } finally {
    reader.dispose();
  }
  return { present: present.sort(), missing };
}
