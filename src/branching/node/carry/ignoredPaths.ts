import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { runGit } from '../../../snapshots/git/gitCommand.ts';
import { pathToBytes } from '../../../snapshots/common/pathBytes.ts';
import { isInside } from '../../../snapshots/common/pathBelow.ts';
import { joinZero } from '../../../snapshots/common/zeroSeparated.ts';
import { pathsOf } from '../../../snapshots/common/zeroSeparated.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** A folder, and the highest parent folder in which to look for its repository. */
export interface TreePlace {
  readonly folder: string;
  readonly top: string;
}

const GITLINK = /^160000 /;
/** Exit code of `git check-ignore` when no path is ignored. */
const NONE = 1;

/** Whether `folder`, or a folder above it up to `top`, is a git repository. */
export function isInRepository({ folder, top }: TreePlace): boolean {
  return repositoryAbove(folder, top) !== undefined;
}

/**
 * The paths that git ignores. Each path is checked in its innermost repository, because git knows
 * only that repository's rules. Paths below a link or outside of a repository are not ignored.
 * @throws UserError when git fails
 */
export async function ignoredPaths(
  place: TreePlace,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const outermost = repositoryAbove(place.folder, place.top);
  const repositories = new Repositories(place.folder, outermost);
  for (const each of paths) repositories.add(each);
  const ignored = new Set<string>();
  // Outer repositories come first: in an ignored folder, nested repositories are ignored too.
  for (const [repository, asked] of repositories.byDepth()) {
    const isAllIgnored = repository !== outermost && ignored.has(within(place, repository));
    const answer = isAllIgnored ? asked : await askGit(repository, asked, signal);
    for (const each of answer) ignored.add(within(place, path.posix.join(repository, each)));
  }
  return ignored;
}

/** Makes a path relative to the folder, like the given paths. */
function within({ folder }: TreePlace, file: string): string {
  return path.posix.relative(folder, file);
}

/** Assigns each path to its repository; checks each folder only once. */
class Repositories {
  readonly #folder: string;
  readonly #outermost: string | undefined;
  readonly #asked = new Map<string, Set<string>>();
  /** The repository of each folder; undefined below links. */
  readonly #known = new Map<string, string | undefined>();

  constructor(folder: string, outermost: string | undefined) {
    this.#folder = folder;
    this.#outermost = outermost;
  }

  add(file: string): void {
    const full = path.posix.join(this.#folder, file);
    const repository = this.#repositoryOf(path.posix.dirname(full));
    if (repository !== undefined) this.#ask(repository, full);
  }

  byDepth(): [repository: string, asked: string[]][] {
    return [...this.#asked]
      .map(([repository, asked]): [string, string[]] => [repository, [...asked]])
      .sort(([a], [b]) => a.length - b.length);
  }

  #ask(repository: string, full: string): void {
    const asked = this.#asked.get(repository) ?? new Set();
    asked.add(path.posix.relative(repository, full));
    this.#asked.set(repository, asked);
  }

  #repositoryOf(folder: string): string | undefined {
    if (folder === this.#folder) return this.#outermost;
    if (this.#known.has(folder)) return this.#known.get(folder);
    const around = this.#repositoryOf(path.posix.dirname(folder));
    const isLink = statOf(folder)?.isSymbolicLink() === true;
    const isOne = !isLink && statOf(path.posix.join(folder, '.git')) !== undefined;
    const found = isLink ? undefined : isOne ? folder : around;
    this.#known.set(folder, found);
    if (isOne && around !== undefined) this.#ask(around, folder);
    return found;
  }
}

async function askGit(
  repository: string,
  asked: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const run = async (args: readonly string[], input?: Uint8Array) => {
    // `check-ignore` takes names literally and rejects this variable.
    const env = { GIT_LITERAL_PATHSPECS: undefined };
    return runGit(nodeExec, args, { cwd: repository, env, signal, ...(input && { input }) });
  };
  // git refuses to check paths inside a submodule that is not checked out.
  const { stdout: index } = await run(['ls-files', '--stage', '-z']);
  const links = pathsOf(index).filter((entry) => GITLINK.test(entry));
  const submodules = new Set(links.map((entry) => entry.slice(entry.indexOf('\t') + 1)));
  const askable = asked.filter((each) => submodules.has(each) || !isInside(submodules, each));
  if (askable.length === 0) return [];
  const args = ['check-ignore', '-z', '--stdin'];
  const { exitCode, stdout, stderr } = await run(args, joinZero(askable));
  if (exitCode === 0) return pathsOf(stdout);
  if (exitCode === NONE) return [];
  throw new UserError(
    'rules-unknown',
    `git can't list the ignored files of ${repository}: ${stderr.trim()}`,
  );
}

function repositoryAbove(folder: string, top: string): string | undefined {
  for (let above = folder; ; above = path.posix.dirname(above)) {
    if (statOf(path.posix.join(above, '.git')) !== undefined) return above;
    if (above === top || above === path.posix.dirname(above)) return undefined;
  }
}

/** Passes the bytes of the path, because file names need not be valid text. */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(Buffer.from(pathToBytes(file)), { throwIfNoEntry: false });
  } catch {
    return undefined; // Not accessible.
  }
}
