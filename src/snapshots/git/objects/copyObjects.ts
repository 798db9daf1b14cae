import type { CaptureContext } from '../index/indexState.ts';
import { joinPath } from '../../common/posixPath.ts';

const encoder = new TextEncoder();
/** From here on one pack is cheaper than so many files. */
const PACK_FROM = 100;

/** Copies contents of the user's repository into our store: it may lose what is staged, and we may not. */
export async function copyObjects(
  { store, repository, signal }: CaptureContext,
  oids: readonly string[],
): Promise<{ present: string[]; missing: string[] }> {
  const present: string[] = [];
  const wanted: string[] = [];
  for (const oid of oids) {
    // Untested: stagedObjects cuts all names to this length.
    if (oid.length !== store.oidBytes * 2) continue;
    ((await store.has(oid)) ? present : wanted).push(oid);
  }
  // Another object format has other names for the same bytes.
  if (repository.format !== store.format) return { present, missing: [...oids] };
  if (wanted.length === 0) return { present, missing: [] };
  const missing: string[] = [];
  // Not as that repository: a partial one would have git fetch what it lacks, or fail.
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
