import type { FileStat } from '../../common/ports.ts';
import { joinPath } from '../../common/posixPath.ts';
import { GitFailure, isDiskFull } from '../gitCommand.ts';
import { isRacyAt, isSameState } from '../scan/stableRead.ts';
import type { Candidate } from '../scan/scanCandidates.ts';
import type { ScanContext, WorkTree, WorkTreeGit } from '../scan/workTree.ts';
import { joinZero } from '../zeroSeparated.ts';

/** So many at once: what has to be done again when one of them cannot be read. */
const AT_ONCE = 10_000;
/** For a pack less: git looks through all that is in it for each that comes. */
const PACKED_AT_ONCE = 5000;
/** From here on contents go into one pack: as files of their own they would take a disk block each. */
const PACK_FROM = 1000;
const SECOND_NS = 1_000_000_000n;

export interface AddedPaths {
  /** Could not be read that way, or changed meanwhile. */
  readonly doubtful: readonly string[];
  readonly racy: readonly string[];
  /** Changed while they were read, or in the same second: our index may not show that they are other than it has them. */
  readonly unsure: readonly string[];
  readonly bytes: number;
}

export async function removePaths(own: WorkTreeGit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // Mode 0 stands for removal. The name of the object does not matter, but has to be one.
  const lines = [...new Set(paths)].map((path) => `0 ${'0'.repeat(own.oidLength)}\t${path}`);
  await own.run(['update-index', '-z', '--index-info'], { input: joinZero(lines) });
}

/** Has git read files into our index and store, with the times they had. */
export async function addPaths(
  context: ScanContext,
  unit: WorkTree,
  own: WorkTreeGit,
  candidates: readonly Candidate[],
): Promise<AddedPaths> {
  const startNs = context.ports.clock.nowNs();
  let doubtful: string[] = [];
  for (const isNew of [true, false]) {
    const some = candidates.filter((candidate) => candidate.isNew === isNew);
    // What our index knows already is mostly there, and found faster so.
    const packing = isNew && some.length >= PACK_FROM ? ['-c', 'core.bigFileThreshold=1'] : [];
    const step = packing.length > 0 ? PACKED_AT_ONCE : AT_ONCE;
    for (let at = 0; at < some.length; at += step) {
      doubtful = doubtful.concat(await addOrSplit(own, packing, some.slice(at, at + step)));
    }
  }
  const failed = new Set(doubtful);
  const racy: string[] = [];
  const unsure = [...doubtful];
  let bytes = 0;
  const places = candidates.map(({ path }) => joinPath(unit.root, path));
  const stats = await context.ports.files.statAll(places);
  for (const [at, { path, stat }] of candidates.entries()) {
    if (failed.has(path)) continue;
    bytes += stat.size;
    const after = stats[at]!;
    const isSame = typeof after !== 'string' && isSameState(stat, after);
    if (!isSame) doubtful.push(path);
    else if (isRacyAt(after, startNs)) racy.push(path);
    if (!isSame || isUnsureAt(after, startNs)) unsure.push(path);
  }
  return { doubtful, racy, unsure, bytes };
}

/** Most builds of git compare whole seconds, and a program that puts back the time of writing leaves only that of the change. */
function isUnsureAt({ ctimeNs }: FileStat, nowNs: bigint): boolean {
  return ctimeNs / SECOND_NS >= nowNs / SECOND_NS;
}

/** @returns the paths that git could not read */
async function addOrSplit(
  own: WorkTreeGit,
  packing: readonly string[],
  candidates: readonly Candidate[],
): Promise<string[]> {
  try {
    await own.run([...packing, 'update-index', '--add', '--replace', '-z', '--stdin'], {
      input: joinZero(candidates.map(({ path }) => path)),
    });
    return [];
  } catch (error) {
    if (!(error instanceof GitFailure) || isDiskFull(error)) {
      throw error;
    }
    if (candidates.length === 1) return [candidates[0]!.path];
    const middle = candidates.length >> 1;
    const first = await addOrSplit(own, packing, candidates.slice(0, middle));
    return [...first, ...(await addOrSplit(own, packing, candidates.slice(middle)))];
  }
}
