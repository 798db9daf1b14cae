import type { FileStat } from '../../common/ports.ts';
import { joinPath } from '../../common/posixPath.ts';
import { GitFailure, isDiskFull } from '../gitCommand.ts';
import { isRacyAt, isSameState } from '../scan/stableRead.ts';
import type { ScanCandidate } from '../scan/scanCandidates.ts';
import type { ScanContext, WorkTree } from '../scan/workTree.ts';
import type { WorkTreeGit } from '../scan/workTreeGit.ts';
import { joinZero } from '../../common/zeroSeparated.ts';

/** Paths per command. If git can't read one of them, all are tried again in smaller groups. */
const AT_ONCE = 10_000;
/** Paths per command if objects go into a pack: git searches the whole pack for each object. */
const PACKED_AT_ONCE = 5000;
/**
 * From this number on, objects go into one pack: separate files take at least a disk block each.
 */
const PACK_FROM = 1000;
const SECOND_NS = 1_000_000_000n;

export interface AddedPaths {
  /** Paths that git could not read, or that changed meanwhile. */
  readonly doubtful: readonly string[];
  readonly racy: readonly string[];
  /**
   * Paths that changed in the second in which git read them: our index may not show another change
   * in that second.
   */
  readonly unsure: readonly string[];
  readonly bytes: number;
}

export async function removePaths(git: WorkTreeGit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // Mode 0 removes an entry. The object ID is ignored but required.
  const lines = [...new Set(paths)].map((path) => `0 ${'0'.repeat(git.oidLength)}\t${path}`);
  await git.run(['update-index', '-z', '--index-info'], { input: joinZero(lines) });
}

/** Lets git read files into our index and store, with their times. */
export async function addPaths(
  context: ScanContext,
  workTree: WorkTree,
  git: WorkTreeGit,
  candidates: readonly ScanCandidate[],
): Promise<AddedPaths> {
  const startNs = context.ports.clock.nowNs();
  let doubtful: string[] = [];
  for (const isNew of [true, false]) {
    const some = candidates.filter((candidate) => candidate.isNew === isNew);
    // The objects of files that our index has mostly exist; git finds them faster without packing.
    const packing = isNew && some.length >= PACK_FROM ? ['-c', 'core.bigFileThreshold=1'] : [];
    const step = packing.length > 0 ? PACKED_AT_ONCE : AT_ONCE;
    for (let at = 0; at < some.length; at += step) {
      doubtful = doubtful.concat(await addOrSplit(git, packing, some.slice(at, at + step)));
    }
  }
  const failed = new Set(doubtful);
  const racy: string[] = [];
  const unsure = [...doubtful];
  let bytes = 0;
  const places = candidates.map(({ path }) => joinPath(workTree.root, path));
  const stats = await context.ports.files.statAll(places);
  for (const [at, { path, stat }] of candidates.entries()) {
    if (failed.has(path)) continue;
    bytes += stat.size;
    // `stats` has the order of `candidates`.
    const after = stats[at]!;
    const isSame = typeof after !== 'string' && isSameState(stat, after);
    if (!isSame) doubtful.push(path);
    else if (isRacyAt(after, startNs)) racy.push(path);
    if (!isSame || isUnsureAt(after, startNs)) unsure.push(path);
  }
  return { doubtful, racy, unsure, bytes };
}

/** Most git builds compare whole seconds. Uses ctime, because programs can reset mtime. */
function isUnsureAt({ ctimeNs }: FileStat, nowNs: bigint): boolean {
  return ctimeNs / SECOND_NS >= nowNs / SECOND_NS;
}

/** @returns the paths that git could not read */
async function addOrSplit(
  git: WorkTreeGit,
  packing: readonly string[],
  candidates: readonly ScanCandidate[],
): Promise<string[]> {
  try {
    await git.run([...packing, 'update-index', '--add', '--replace', '-z', '--stdin'], {
      input: joinZero(candidates.map(({ path }) => path)),
    });
    return [];
  } catch (error) {
    if (!(error instanceof GitFailure) || isDiskFull(error)) {
      throw error;
    }
    if (candidates.length === 1) return candidates.map(({ path }) => path);
    const middle = candidates.length >> 1;
    const first = await addOrSplit(git, packing, candidates.slice(0, middle));
    return [...first, ...(await addOrSplit(git, packing, candidates.slice(middle)))];
  }
}
