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

/** Time limit of a cost query: after it, the remaining comparisons are left to the next query. */
const PATIENCE_MS = 3000;
/** How many large files to ask the file system about, which takes about 5 ms for each. */
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
 * Estimates the disk space that removing snapshots frees. Btrfs can report the data that only one
 * snapshot has, by reading all its files, but not the data that only several snapshots have.
 * Therefore a note beside each snapshot lists the content that the next snapshot no longer has.
 * Writing the note costs little, because taking the next snapshot compares the two anyway.
 */
export class BtrfsCosts {
  readonly #options: CostOptions;
  readonly #touchedBetween: TouchedBetween;

  constructor(options: CostOptions, touchedBetween: TouchedBetween) {
    this.#options = options;
    this.#touchedBetween = touchedBetween;
  }

  /** Writes the note for a snapshot that was compared with the next one. */
  async note(
    before: BtrfsSnapshot,
    next: string,
    comparison: TreeComparison,
    touched: readonly TouchedPath[] | undefined,
  ): Promise<void> {
    // This comparison did not list the content of deleted folders. freedBy compares everything
    // later, when no snapshot is waiting.
    // Untested: without the note, freedBy compares the snapshots again.
    if (comparison.isGlance && hasLostFolder(comparison)) return;
    const versions = await this.#released(before, comparison, touched);
    await this.#write(before, next, versions);
  }

  /** @param snapshots all of one workspace, oldest first @param going references to remove */
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
    // Untested: without this note, the estimate of freed bytes is only lower.
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
   * Compares a snapshot with the next one, or the last snapshot with the current files. If these
   * are gone, all content of the snapshot counts.
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
      // The disk may be full, for example. The next cost query compares the snapshots again.
      // Untested: an error without a code is a bug. It fails the snapshot, and take() removes the
      // files.
      if (errorCode(error) === undefined) throw error;
    }
  }
}

function hasLostFolder({ before, after }: TreeComparison): boolean {
  return [...before].some(
    ([path, { kind }]) => kind === 'folder' && after.get(path)?.kind !== 'folder',
  );
}
