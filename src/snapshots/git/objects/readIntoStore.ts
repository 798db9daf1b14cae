import type { Omission } from '../../common/provider.ts';
import { joinPath } from '../../common/posixPath.ts';
import { inParallel } from '../../common/inParallel.ts';
import { hasNameGitRefuses } from '../scan/scanCandidates.ts';
import { readStable } from '../scan/stableRead.ts';
import type { TreeItem } from './treeFormat.ts';
import { MODE_LINK } from './treeFormat.ts';
import type { ScanContext } from '../scan/workTree.ts';

/** How many files to read at once: few, because each may be as large as the limit. */
const READ_CONCURRENCY = 4;

export interface ReadPaths {
  /** The new item at each path; undefined if it is gone. */
  readonly items: ReadonlyMap<string, TreeItem | undefined>;
  readonly omissions: readonly Omission[];
  readonly racy: readonly string[];
  readonly bytes: number;
}

/** Reads files into the store, each in a consistent state. Paths are relative to `root`. */
export async function readIntoStore(
  { ports, store, limits, modes, signal }: ScanContext,
  root: string,
  paths: readonly string[],
): Promise<ReadPaths> {
  const items = new Map<string, TreeItem | undefined>();
  const omissions: Omission[] = [];
  const racy: string[] = [];
  let bytes = 0;
  await inParallel(paths, READ_CONCURRENCY, async (path) => {
    signal.throwIfAborted();
    const file = joinPath(root, path);
    const reading = await readStable(ports, file, limits);
    items.set(path, undefined);
    if (reading.kind === 'content') modes.see(file, reading.stat);
    else modes.forget(file);
    if (reading.kind === 'omitted') {
      const { reason, detail } = reading;
      omissions.push({ path, reason, ...(detail !== undefined && { detail }) });
      if (reason === 'unstable') racy.push(path);
    } else if (reading.kind === 'content') {
      const kind = reading.mode === MODE_LINK ? 'symlink' : 'file';
      if (hasNameGitRefuses(path, { kind })) {
        omissions.push({
          path,
          reason: 'special',
          detail: "git can't store a file with this name.",
        });
        return;
      }
      items.set(path, { mode: reading.mode, oid: await store.write('blob', reading.bytes) });
      bytes += reading.bytes.length;
      if (reading.isRacy) racy.push(path);
    }
  });
  return { items, omissions, racy, bytes };
}
