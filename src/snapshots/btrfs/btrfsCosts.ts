import type { Exec, Files } from '../common/ports.ts';
import { compareStates, type Comparison } from '../volume/compareTrees.ts';
import { errorCode } from '../volume/errorCode.ts';
import { statIfThere } from '../volume/folders.ts';
import { listTree, type TouchedPath } from '../volume/listing.ts';
import { joinPath } from '../common/posixPath.ts';
import { ToolFailure } from '../volume/tool.ts';
import type { BtrfsTool } from './btrfsTool.ts';
import { readReleasedNote, writeReleasedNote } from './releasedNote.ts';
import { condensed, freedBytes, releasedVersions } from './releasedVersions.ts';
import type { ReleasedVersion, WeighedSnapshot } from './releasedVersions.ts';
import type { FoundSnapshot } from './store.ts';

/** Who asks what snapshots cost waits no longer than about this; what is compared by then is noted, and the rest is the next time. */
const PATIENCE_MS = 3000;
/** Of how many large files the file system is asked how much is left of them: each takes some 5 ms. */
const MAX_ASKED = 3;

interface CostOptions {
  readonly exec: Exec;
  readonly files: Files;
  readonly tool: BtrfsTool;
  readonly workspace: string;
}

export interface DatedSnapshot extends FoundSnapshot {
  readonly takenNs: bigint;
}

export type TouchedBetween = (
  before: FoundSnapshot,
  after: FoundSnapshot,
  signal: AbortSignal,
) => Promise<TouchedPath[] | undefined>;

/**
 * What removing snapshots frees. The file system says what one snapshot has alone, at the price of a look at every file of it,
 * and nothing of what several have. So it is noted beside each snapshot what the next one has no more: that is known when the
 * next one is taken, and costs nothing then.
 */
export class BtrfsCosts {
  readonly #options: CostOptions;
  readonly #touchedBetween: TouchedBetween;

  constructor(options: CostOptions, touchedBetween: TouchedBetween) {
    this.#options = options;
    this.#touchedBetween = touchedBetween;
  }

  /** Notes what a comparison with the next snapshot has shown. */
  async note(
    before: FoundSnapshot,
    next: string,
    comparison: Comparison,
    touched: readonly TouchedPath[] | undefined,
  ): Promise<void> {
    // What was in it is worth a closer look, when nobody waits for a snapshot.
    // Untested: leaves out only a note on costs; freedBy compares again.
    if (comparison.isGlance && hasLostFolder(comparison)) return;
    const versions = await this.#released(before, comparison, touched);
    await this.#write(before, next, versions);
  }

  /** @param snapshots of one workspace, the oldest first. @param going references of those that go */
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
    snapshot: FoundSnapshot,
    next: FoundSnapshot | undefined,
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
      // Removed meanwhile, or not whole.
      if (error instanceof ToolFailure || errorCode(error) !== undefined) return [];
      throw error;
    }
  }

  /** The last one with the files as they are. Where those are gone it has everything alone. */
  async #compare(
    { root }: FoundSnapshot,
    next: FoundSnapshot | undefined,
    touched: readonly TouchedPath[] | undefined,
    signal: AbortSignal,
  ): Promise<Pick<Comparison, 'before' | 'after'>> {
    const { exec, files, workspace } = this.#options;
    const newRoot = next?.root ?? workspace;
    if ((await statIfThere(files, newRoot)) === undefined)
      return { before: await listTree(exec, root, signal), after: new Map() };
    return compareStates(this.#options, { oldRoot: root, newRoot, touched }, signal);
  }

  async #released(
    { root }: FoundSnapshot,
    { before, after }: Pick<Comparison, 'before' | 'after'>,
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
    { slot }: FoundSnapshot,
    next: string,
    versions: readonly ReleasedVersion[],
  ): Promise<void> {
    try {
      await writeReleasedNote(this.#options.files, slot, { next, versions });
    } catch (error) {
      // A full disk, say: then it is compared again when somebody asks.
      // Untested: a bug's error fails the snapshot, and take() removes what it made.
      if (errorCode(error) === undefined) throw error;
    }
  }
}

function hasLostFolder({ before, after }: Comparison): boolean {
  return [...before].some(
    ([path, { kind }]) => kind === 'folder' && after.get(path)?.kind !== 'folder',
  );
}
