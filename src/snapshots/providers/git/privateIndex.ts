import { joinPath } from '../volume/posixPath.ts';
import { GitFailure, isDiskFull } from './gitCommand.ts';
import { inParallel } from '../../inParallel.ts';
import { isRacyAt, isSameState } from './stableRead.ts';
import type { Candidate } from './scanCandidates.ts';
import type { ScanContext, Unit, UnitGit } from './unit.ts';
import { joinZero, pathsOf } from './zeroSeparated.ts';

/** So many at once: what has to be done again when one of them cannot be read. */
const AT_ONCE = 10_000;
/** For a pack less: git looks through all that is in it for each that comes. */
const PACKED_AT_ONCE = 5000;
/** From here on contents go into one pack: as files of their own they would take a disk block each. */
const PACK_FROM = 1000;
const STATS_AT_ONCE = 16;
/** From here on git is faster to say what has changed meanwhile. */
const ASK_GIT_FROM = 1000;

export interface AddedPaths {
  /** Could not be read that way, or changed meanwhile. */
  readonly doubtful: readonly string[];
  readonly racy: readonly string[];
  readonly bytes: number;
}

export async function removePaths(own: UnitGit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // Mode 0 stands for removal. The name of the object does not matter, but has to be one.
  const lines = [...new Set(paths)].map((path) => `0 ${'0'.repeat(own.oidLength)}\t${path}`);
  await own.run(['update-index', '-z', '--index-info'], { input: joinZero(lines) });
}

/** Has git read files into our index and store, with the times they had. */
export async function addPaths(
  context: ScanContext,
  unit: Unit,
  own: UnitGit,
  candidates: readonly Candidate[],
): Promise<AddedPaths> {
  const startNs = context.ports.clock.nowNs();
  const doubtful: string[] = [];
  const racy: string[] = [];
  let bytes = 0;
  for (const isNew of [true, false]) {
    const some = candidates.filter((candidate) => candidate.isNew === isNew);
    // What our index knows already is mostly there, and found faster so.
    const packing = isNew && some.length >= PACK_FROM ? ['-c', 'core.bigFileThreshold=1'] : [];
    const step = packing.length > 0 ? PACKED_AT_ONCE : AT_ONCE;
    for (let at = 0; at < some.length; at += step) {
      doubtful.push(...(await addOrSplit(own, packing, some.slice(at, at + step))));
    }
  }
  if (candidates.length >= ASK_GIT_FROM) {
    const changed = pathsOf((await own.run(['diff-files', '-z', '--name-only'])).stdout);
    for (const { stat } of candidates) bytes += stat.size;
    racy.push(...candidates.filter(({ stat }) => isRacyAt(stat, startNs)).map(({ path }) => path));
    return { doubtful: [...new Set([...doubtful, ...changed])], racy, bytes };
  }
  const failed = new Set(doubtful);
  await inParallel(candidates, STATS_AT_ONCE, async ({ path, stat }) => {
    if (failed.has(path)) return;
    bytes += stat.size;
    const after = await context.ports.files.stat(joinPath(unit.root, path)).catch(() => undefined);
    if (!after || !isSameState(stat, after)) doubtful.push(path);
    else if (isRacyAt(after, startNs)) racy.push(path);
  });
  return { doubtful, racy, bytes };
}

/** @returns the paths that git could not read */
async function addOrSplit(
  own: UnitGit,
  packing: readonly string[],
  candidates: readonly Candidate[],
): Promise<string[]> {
  if (candidates.length === 0) return [];
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
