import { errorCode } from '../../base/errors.ts';
import type { Exec, Files } from '../common/ports.ts';
import { compareStates, type TreeComparison } from '../volume/compareTrees.ts';
import { statIfThere } from '../common/folders.ts';
import { listTree, type TouchedPath } from '../volume/listing.ts';
import { joinPath } from '../common/posixPath.ts';
import { ToolFailure } from '../volume/tool.ts';
import type { BtrfsTool } from './btrfsTool.ts';
import { readReleasedNote, writeReleasedNote } from './releasedNote.ts';
import { condensed, freedBytes, releasedVersions } from './releasedVersions.ts';
import type { ReleasedVersion, WeighedSnapshot } from './releasedVersions.ts';
import type { BtrfsSnapshot } from './store.ts';

/** Time limit of a cost query; comparisons that are not done by then follow next time. */
const PATIENCE_MS = 3000;
/** How many large files are measured by the file system, which takes some 5 ms each. */
const MAX_ASKED = 3;

interface CostOptions {
  readonly exec: Exec;
  readonly files: Files;
  readonly tool: BtrfsTool;
  readonly workspace: string;
}

export interface DatedSnapshot extends BtrfsSnapshot {
  readonly takenNs: bigint;
}

export type TouchedBetween = (
  before: BtrfsSnapshot,
  after: BtrfsSnapshot,
  signal: AbortSignal,
) => Promise<TouchedPath[] | undefined>;

/**
 * Estimates what removing snapshots frees. Btrfs can report what one snapshot has alone, by reading
 * all its files, but not what several have together. Therefore a note beside each snapshot says
 * what the next snapshot no longer has; it is written for free when the next one is taken.
 */
export class BtrfsCosts {
  readonly #options: CostOptions;
  readonly #touchedBetween: TouchedBetween;

  constructor(options: CostOptions, touchedBetween: TouchedBetween) {
    this.#options = options;
    this.#touchedBetween = touchedBetween;
  }

  /** Notes the result of a comparison with the next snapshot. */
  async note(
    before: BtrfsSnapshot,
    next: string,
    comparison: TreeComparison,
    touched: readonly TouchedPath[] | undefined,
  ): Promise<void> {
    // The content of deleted folders is compared later, when no snapshot is waiting.
    // Untested: leaves out only a note on costs; freedBy compares again.
    if (comparison.isGlance && hasLostFolder(comparison)) return;
    const versions = await this.#released(before, comparison, touched);
    await this.#write(before, next, versions);
  }

  /** @param snapshots of one workspace, oldest first @param going references of those to remove */
  async freedBy(
    snapshots: readonly DatedSnapshot[],
    going: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<number> {
    const startedMs = Date.now();
    const weighed: WeighedSnapshot[] = [];
    for (const [number, snapshot] of snapshots.entries()) {
      signal.throwIfAborted();
      const isGoing = going.has(snapshot.ref);
      const isLate = Date.now() - startedMs > PATIENCE_MS;
      const released = isGoing
        ? await this.#weigh(snapshot, snapshots[number + 1], isLate, signal)
        : [];
      weighed.push({ takenNs: snapshot.takenNs, isGoing, released });
    }
    return freedBytes(weighed);
  }

  async #weigh(
    snapshot: BtrfsSnapshot,
    next: BtrfsSnapshot | undefined,
    isLate: boolean,
    signal: AbortSignal,
  ): Promise<readonly ReleasedVersion[]> {
    const noted = next && (await readReleasedNote(this.#options.files, snapshot.slot));
    if (noted && noted.next === next.ref) return noted.versions;
    // Untested: makes only the estimate of freed bytes lower.
    if (isLate) return [];
    try {
      const touched = next && (await this.#touchedBetween(snapshot, next, signal));
      const comparison = await this.#compare(snapshot, next, touched, signal);
      const versions = await this.#released(snapshot, comparison, touched);
      if (next) await this.#write(snapshot, next.ref, versions);
      return versions;
    } catch (error) {
      signal.throwIfAborted();
      // The snapshot was removed meanwhile, or is incomplete.
      if (error instanceof ToolFailure || errorCode(error) !== undefined) return [];
      throw error;
    }
  }

  /**
   * Compares the last snapshot with the current files. If those are gone, all its content counts.
   */
  async #compare(
    { root }: BtrfsSnapshot,
    next: BtrfsSnapshot | undefined,
    touched: readonly TouchedPath[] | undefined,
    signal: AbortSignal,
  ): Promise<Pick<TreeComparison, 'before' | 'after'>> {
    const { exec, files, workspace } = this.#options;
    const newRoot = next?.root ?? workspace;
    if ((await statIfThere(files, newRoot)) === undefined)
      return { before: await listTree(exec, root, signal), after: new Map() };
    return compareStates(this.#options, { oldRoot: root, newRoot, touched }, signal);
  }

  async #released(
    { root }: BtrfsSnapshot,
    { before, after }: Pick<TreeComparison, 'before' | 'after'>,
    touched: readonly TouchedPath[] | undefined,
  ): Promise<ReleasedVersion[]> {
    const { versions, unclear } = releasedVersions(before, after, touched);
    const size = (path: string): number => Number(before.get(path)?.size);
    const largest = [...unclear].sort((a, b) => size(b.path) - size(a.path)).slice(0, MAX_ASKED);
    const asked = largest.map(async ({ path, sinceNs }) => {
      const bytes = await this.#options.tool.exclusiveBytes(joinPath(root, path));
      return { sinceNs, bytes };
    });
    return condensed([...versions, ...(await Promise.all(asked))]);
  }

  async #write(
    { slot }: BtrfsSnapshot,
    next: string,
    versions: readonly ReleasedVersion[],
  ): Promise<void> {
    try {
      await writeReleasedNote(this.#options.files, slot, { next, versions });
    } catch (error) {
      // For example a full disk; the snapshots are compared again when costs are queried.
      // Untested: a bug's error fails the snapshot, and take() removes what it made.
      if (errorCode(error) === undefined) throw error;
    }
  }
}

function hasLostFolder({ before, after }: TreeComparison): boolean {
  return [...before].some(
    ([path, { kind }]) => kind === 'folder' && after.get(path)?.kind !== 'folder',
  );
}
