import type { FileStat } from '../../common/ports.ts';
import { joinPath, relativeTo } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import { editModes, type KeptModes, type SeenMode } from './modeTree.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { MODE_EXECUTABLE, MODE_FILE, MODE_FOLDER } from '../objects/treeFormat.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

const SECOND_NS = 1_000_000_000n;
const KEPT_WITH_MODE = [MODE_FILE, MODE_EXECUTABLE, `0${MODE_FOLDER}`];

/** The parts of a scan that are needed to read permissions. */
interface ModesContext {
  readonly ports: GitPorts;
  readonly store: ObjectStore;
  readonly signal: AbortSignal;
}

/** The permissions that a scan passes on to the next one. */
export interface SeenModes extends KeptModes {
  /**
   * Files seen in the second in which they changed: their times in our index don't show another
   * change in that second.
   */
  readonly recent?: readonly string[];
}

/** Returns the permissions known from earlier scans; undefined if all files must be looked at. */
export async function knownModes(
  store: ObjectStore,
  { modes }: { readonly modes?: SeenModes | undefined },
): Promise<SeenModes | undefined> {
  return modes?.tree === undefined || (await store.has(modes.tree)) ? modes : undefined;
}

/**
 * Returns the permissions after a scan.
 * @param known the permissions before the scan, if it has seen every path that may have changed
 */
export async function modesOf(
  context: ModesContext & { readonly modes: ModeNotes },
  tree: string,
  known: SeenModes | undefined,
): Promise<SeenModes> {
  const { modes, ports } = context;
  const recent = await (known
    ? modes.seeAgain(context, known.recent ?? [])
    : modes.seeAll(context, tree));
  const kept = await modes.addTo(context, known ?? { umask: ports.umask });
  return { ...kept, ...(recent.length > 0 && { recent }) };
}

/** Collects the permissions that a scan sees, by absolute path. */
export class ModeNotes {
  readonly #workspace: string;
  readonly #gone = new Set<string>();
  readonly #seen = new Map<string, SeenMode>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Notes the permissions of a path, even after {@link forget}. */
  see(file: string, { kind, mode }: Pick<FileStat, 'kind' | 'mode'>): void {
    const path = relativeTo(this.#workspace, file);
    if (!path) return;
    if (kind === 'file' || kind === 'folder') this.#seen.set(path, { kind, mode });
    else this.#gone.add(path);
  }

  /** Forgets the permissions of a path and everything below it. */
  forget(file: string): void {
    const path = relativeTo(this.#workspace, file);
    if (path) this.#gone.add(path);
  }

  addTo({ store }: ModesContext, { umask, tree }: KeptModes): Promise<KeptModes> {
    return editModes(store, { umask, tree }, this.#gone, this.#seen);
  }

  /** Looks at all files and folders of a tree. @returns those that changed in this second */
  async seeAll(context: ModesContext, tree: string): Promise<string[]> {
    const { store, signal } = context;
    const { stdout } = await store.git(['ls-tree', '-r', '-t', '-z', tree], { signal });
    const paths = pathsOf(stdout)
      .filter((line) => KEPT_WITH_MODE.some((mode) => line.startsWith(`${mode} `)))
      .map((line) => line.slice(line.indexOf('\t') + 1));
    return this.seeAgain(context, paths);
  }

  /** Looks at some paths. @returns those that changed in this second */
  async seeAgain({ ports }: ModesContext, paths: readonly string[]): Promise<string[]> {
    const second = ports.clock.nowNs() / SECOND_NS;
    const files = paths.map((path) => joinPath(this.#workspace, path));
    // `stats` has the order of `paths`.
    const stats = await this.seeNow(ports, files);
    return paths.filter((_path, at) => {
      const stat = stats[at]!;
      return typeof stat !== 'string' && stat.ctimeNs / SECOND_NS >= second;
    });
  }

  async seeNow(
    { files }: GitPorts,
    paths: readonly string[],
  ): Promise<readonly (FileStat | string)[]> {
    // `stats` has the order of `paths`.
    const stats = await files.statAll(paths);
    for (const [at, path] of paths.entries()) {
      const stat = stats[at]!;
      if (typeof stat !== 'string') this.see(path, stat);
    }
    return stats;
  }
}
