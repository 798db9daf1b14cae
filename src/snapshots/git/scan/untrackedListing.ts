import { isInside } from '../../common/pathBelow.ts';
import type { Omission } from '../../common/provider.ts';
import { parentOf } from '../../common/posixPath.ts';
import { FolderWalk } from './folderWalk.ts';
import type { WalkResult } from './folderWalk.ts';
import { statFingerprint } from './statFingerprint.ts';
import { indexFileOf } from './workTree.ts';
import type { ScanContext, WorkTree, WorkTreeGit } from './workTree.ts';
import { pathsOf } from '../zeroSeparated.ts';

/** So often in a row the times of folders are believed: there are file systems that do not keep them. */
const MAX_BELIEVED = 20;

/** What there is in a unit's folders beside what our index has. Paths are relative to the unit's root. */
export interface Sight {
  readonly walk: WalkResult;
  /** What rules leave out, whole folders in one. */
  readonly ignored: readonly string[];
  /** Files that our index does not have; with a `/` at the end, a repository. */
  readonly others: readonly string[];
}

/** What git listed, and what it depends on. */
interface Listing extends Pick<Sight, 'ignored' | 'others'> {
  readonly skipped: ReadonlySet<string>;
  /** Of our index, and of the rules outside of the tree. */
  readonly sign: string;
  /** Of the folders that it lists, each was looked at before it was listed: what came later shows. */
  readonly isAfterWalk: boolean;
}

/** Looks around in a unit, again and again. Git lists anew only when a folder, a rule or our index is not what it was. */
export class UntrackedListing {
  readonly #walk: FolderWalk;
  #listing: Listing | undefined;
  #first: Promise<WalkResult> | undefined;
  #believed = 0;

  constructor(context: Pick<ScanContext, 'ports'>, unit: Pick<WorkTree, 'root' | 'prefix'>) {
    this.#walk = new FolderWalk(context.ports, unit.root, unit.prefix);
  }

  /** Begins with what no rule has a say in: the folders that are known. Then comes {@link look}. */
  begin(signal: AbortSignal): void {
    if (this.#believed >= MAX_BELIEVED) this.#listing = undefined;
    this.#walk.begin();
    this.#first = this.#listing && this.#walk.walk(this.#listing.skipped, signal);
    // Untested: look() awaits the same promise; this only keeps Node from reporting it.
    this.#first?.catch(() => undefined);
  }

  async look(context: ScanContext, unit: WorkTree, own: WorkTreeGit): Promise<Sight> {
    const { signal } = context;
    const known = this.#listing;
    const first = await this.#first;
    const sign = `${own.rules}|${await statFingerprint(context, indexFileOf(context, unit))}`;
    if (first?.isSame && known?.isAfterWalk && known.sign === sign) {
      this.#believed += 1;
      return { walk: first, ignored: known.ignored, others: known.others };
    }
    this.#believed = 0;
    const soonOthers = own.run(['ls-files', '-z', '-o', ...own.excludes, ...own.within]);
    const soonWalk = listIgnored(own).then(async (listed) => {
      if (!known) this.#walk.forget();
      // What was looked at just now is not looked at again.
      return { ...listed, walk: await this.#walk.walk(listed.skipped, signal) };
    });
    const [{ ignored, skipped, walk }, { stdout }] = await Promise.all([soonWalk, soonOthers]);
    const others = pathsOf(stdout);
    const isAfterWalk = first !== undefined && walk.isSame;
    this.#listing = { ignored, skipped, others, sign, isAfterWalk };
    return { walk, ignored, others };
  }
}

/** What rules leave out. @param at not in the whole unit, or not going by our index */
export async function listIgnored(
  own: WorkTreeGit,
  at: { readonly within?: readonly string[]; readonly index?: string } = {},
): Promise<{ ignored: string[]; skipped: ReadonlySet<string> }> {
  const { within = own.within, ...run } = at;
  const args = ['ls-files', '-z', '-o', '-i', '--directory', ...own.excludes, ...within];
  const listed = pathsOf((await own.run(args, run)).stdout);
  const folders = new Set(listed.filter((path) => path.endsWith('/')).map(withoutSlash));
  // A folder that has nothing but ignored files is listed together with them. Others may come into that one.
  const mixed = new Set(listed.map((path) => parentOf(withoutSlash(path))));
  return {
    ignored: listed
      .map(withoutSlash)
      .filter((path) => folders.has(path) || !isInside(folders, path)),
    skipped: new Set([...folders].filter((path) => !mixed.has(path))),
  };
}

/** @param forced what is kept in spite of the rules */
export function ignoredOmissions(
  ignored: readonly string[],
  forced: ReadonlySet<string>,
): Omission[] {
  return ignored.filter((path) => !forced.has(path)).map((path) => ({ path, reason: 'ignored' }));
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}
