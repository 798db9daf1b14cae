import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { pathToBytes } from '../../../snapshots/common/pathBytes.ts';
import { isInside } from '../../../snapshots/common/pathBelow.ts';
import { joinZero } from '../../../snapshots/git/zeroSeparated.ts';
import { zeroSeparated } from '../../../snapshots/volume/zeroSeparated.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** A folder, and the one above it, or it itself, where its repository can be. */
export interface TreePlace {
  readonly folder: string;
  readonly top: string;
}

const GITLINK = /^160000 /;
/** What git says when it ignores none. */
const NONE = 1;

/** Whether the files of a folder belong to a repository that came with it. */
export function isInRepository({ folder, top }: TreePlace): boolean {
  return repositoryAbove(folder, top) !== undefined;
}

/**
 * Which of the paths git ignores. Each is asked for in the innermost repository that it is in, for git answers for no other;
 * what is below a link, or in no repository, is not ignored.
 * @throws UserError when git does not say: to take all of it for wanted would be a guess
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
  // Those around others come first: what is in an ignored folder is ignored, repositories too.
  for (const [repository, asked] of repositories.byDepth()) {
    const isAllIgnored = repository !== outermost && ignored.has(within(place, repository));
    const answer = isAllIgnored ? asked : await askGit(repository, asked, signal);
    for (const each of answer) ignored.add(within(place, path.posix.join(repository, each)));
  }
  return ignored;
}

/** As in `paths`. */
function within({ folder }: TreePlace, file: string): string {
  return path.posix.relative(folder, file);
}

/** What has to be asked in which repository, found by looking at each folder once. */
class Repositories {
  readonly #folder: string;
  readonly #outermost: string | undefined;
  readonly #asked = new Map<string, Set<string>>();
  /** The repository of each folder; none for what is below a link. */
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
    const all = ['--no-optional-locks', ...args];
    return nodeExec('git', all, { cwd: repository, signal, ...(input && { input }) });
  };
  // A submodule that is not there now has no rules, and git refuses to speak of what is in its place.
  const { stdout: index } = await run(['ls-files', '--stage', '-z']);
  const links = zeroSeparated(index).filter((entry) => GITLINK.test(entry));
  const submodules = new Set(links.map((entry) => entry.slice(entry.indexOf('\t') + 1)));
  const askable = asked.filter((each) => submodules.has(each) || !isInside(submodules, each));
  if (askable.length === 0) return [];
  const args = ['check-ignore', '-z', '--stdin'];
  const { exitCode, stdout, stderr } = await run(args, joinZero(askable));
  if (exitCode === 0) return zeroSeparated(stdout);
  if (exitCode === NONE) return [];
  throw new UserError(
    'rules-unknown',
    `git does not say which files it ignores in ${repository}: ${stderr.trim()}`,
  );
}

function repositoryAbove(folder: string, top: string): string | undefined {
  for (let above = folder; ; above = path.posix.dirname(above)) {
    if (statOf(path.posix.join(above, '.git')) !== undefined) return above;
    if (above === top || above === path.posix.dirname(above)) return undefined;
  }
}

/** By its bytes: a name need not be text. */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(Buffer.from(pathToBytes(file)), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
