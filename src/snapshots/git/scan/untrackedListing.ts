import type { ExecResult } from '../../common/ports.ts';
import { isInside } from '../../common/pathBelow.ts';
import type { Omission } from '../../common/provider.ts';
import { parentOf } from '../../common/posixPath.ts';
import type { GitRun } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import { FolderWalk } from './folderWalk.ts';
import type { WalkResult } from './folderWalk.ts';
import { statFingerprint } from './statFingerprint.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

/** How many times in a row folder times are trusted: some file systems don't update them. */
const MAX_REUSES = 20;

/** What a work tree contains besides the files in our index. Paths are relative to its root. */
export interface TreeListing {
  readonly walk: WalkResult;
  /** What rules ignore; a folder stands for everything in it. */
  readonly ignored: readonly string[];
  /** Files that our index does not have; a repository ends with `/`. */
  readonly others: readonly string[];
}

/** Runs git in a work tree. */
export interface ListingGit {
  readonly excludes: readonly string[];
  readonly rules: string;
  readonly within: readonly string[];
  run(args: readonly string[], run?: ListingRun): Promise<ExecResult>;
}

/** @property index the index file to use instead of ours */
export type ListingRun = Partial<GitRun> & { readonly index?: string };

/** What git listed, and what the listing depends on. */
interface Listing extends Pick<TreeListing, 'ignored' | 'others'> {
  readonly skipped: ReadonlySet<string>;
  /** Fingerprint of our index and of the rules outside of the work tree. */
  readonly fingerprint: string;
  /** The walk looked at every folder before git listed it, so that later changes show. */
  readonly isAfterWalk: boolean;
}

/** Lists untracked and ignored files; runs git only after something changed. */
export class UntrackedListing {
  readonly #ports: GitPorts;
  readonly #walk: FolderWalk;
  #listing: Listing | undefined;
  #first: Promise<WalkResult> | undefined;
  #reuses = 0;

  constructor(ports: GitPorts, workTree: { readonly root: string; readonly prefix: string }) {
    this.#ports = ports;
    this.#walk = new FolderWalk(ports, workTree.root, workTree.prefix);
  }

  /** Starts to look at the known folders, which needs no rules; {@link look} does the rest. */
  begin(signal: AbortSignal): void {
    if (this.#reuses >= MAX_REUSES) this.#listing = undefined;
    this.#walk.begin();
    this.#first = this.#listing && this.#walk.walk(this.#listing.skipped, signal);
    // Untested: look() awaits the same promise; this only keeps Node from reporting an unhandled
    // error.
    this.#first?.catch(() => undefined);
  }

  async look(git: ListingGit, indexFile: string, signal: AbortSignal): Promise<TreeListing> {
    const known = this.#listing;
    const first = await this.#first;
    const index = await statFingerprint({ ports: this.#ports }, indexFile);
    const fingerprint = `${git.rules}|${index}`;
    if (first?.isSame && known?.isAfterWalk && known.fingerprint === fingerprint) {
      this.#reuses += 1;
      return { walk: first, ignored: known.ignored, others: known.others };
    }
    this.#reuses = 0;
    const listingOthers = git.run(['ls-files', '-z', '-o', ...git.excludes, ...git.within]);
    const walking = listIgnored(git).then(async (listed) => {
      if (!known) this.#walk.forget();
      // Folders looked at since `begin` are not looked at again.
      return { ...listed, walk: await this.#walk.walk(listed.skipped, signal) };
    });
    const [{ ignored, skipped, walk }, { stdout }] = await Promise.all([walking, listingOthers]);
    const others = pathsOf(stdout);
    const isAfterWalk = first !== undefined && walk.isSame;
    this.#listing = { ignored, skipped, others, fingerprint, isAfterWalk };
    return { walk, ignored, others };
  }
}

/** Lists what rules ignore. @param at limits the listing to some paths, or uses another index */
export async function listIgnored(
  git: ListingGit,
  at: { readonly within?: readonly string[]; readonly index?: string } = {},
): Promise<{ ignored: string[]; skipped: ReadonlySet<string> }> {
  const { within = git.within, ...run } = at;
  const args = ['ls-files', '-z', '-o', '-i', '--directory', ...git.excludes, ...within];
  const listed = pathsOf((await git.run(args, run)).stdout);
  const folders = new Set(listed.filter((path) => path.endsWith('/')).map(withoutSlash));
  // If a folder is not ignored but all its files are, git lists both the folder and its files.
  // Don't skip such a folder: other files may be added to it.
  const mixed = new Set(listed.map((path) => parentOf(withoutSlash(path))));
  return {
    ignored: listed
      .map(withoutSlash)
      .filter((path) => folders.has(path) || !isInside(folders, path)),
    skipped: new Set([...folders].filter((path) => !mixed.has(path))),
  };
}

/** @param forced ignored files that the user's index tracks */
export function ignoredOmissions(
  ignored: readonly string[],
  forced: ReadonlySet<string>,
): Omission[] {
  return ignored.filter((path) => !forced.has(path)).map((path) => ({ path, reason: 'ignored' }));
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}
