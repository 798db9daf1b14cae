import type { FileStat } from '../../common/ports.ts';
import { joinPath, relativeTo } from '../../common/posixPath.ts';
import { editModes, type KeptModes, type SeenMode } from './modeTree.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import type { ScanState } from '../scan/scanState.ts';
import { MODE_EXECUTABLE, MODE_FILE, MODE_FOLDER } from '../objects/treeFormat.ts';
import type { ScanContext } from '../scan/workTree.ts';
import { pathsOf } from '../zeroSeparated.ts';

const SECOND_NS = 1_000_000_000n;
const KEPT_WITH_MODE = [MODE_FILE, MODE_EXECUTABLE, `0${MODE_FOLDER}`];

/** What is known of permissions between scans. */
export interface SeenModes extends KeptModes {
  /** Files that were looked at in the second in which they changed: by the times in an index, another change would not show. */
  readonly recent?: readonly string[];
}

/** Undefined when everything has to be looked at. */
export async function knownModes(
  store: ObjectStore,
  { modes }: ScanState,
): Promise<SeenModes | undefined> {
  return modes?.tree === undefined || (await store.has(modes.tree)) ? modes : undefined;
}

/** The permissions after a scan. @param known those before it, when it has come across all that may have others now */
export async function modesOf(
  context: ScanContext,
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

/** The permissions that a scan has come across, by absolute path. */
export class ModeNotes {
  readonly #workspace: string;
  readonly #gone = new Set<string>();
  readonly #seen = new Map<string, SeenMode>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Counts more than that something was there before. */
  see(file: string, { kind, mode }: Pick<FileStat, 'kind' | 'mode'>): void {
    const path = relativeTo(this.#workspace, file);
    if (!path) return;
    if (kind === 'file' || kind === 'folder') this.#seen.set(path, { kind, mode });
    else this.#gone.add(path);
  }

  /** What was there, or below it, is not known any more. */
  forget(file: string): void {
    const path = relativeTo(this.#workspace, file);
    if (path) this.#gone.add(path);
  }

  addTo({ store }: ScanContext, { umask, tree }: KeptModes): Promise<KeptModes> {
    return editModes(store, { umask, tree }, this.#gone, this.#seen);
  }

  /** Looks at all files and folders of a tree, when nothing is known of them. @returns the recent ones */
  async seeAll(context: ScanContext, tree: string): Promise<string[]> {
    const { store, signal } = context;
    const { stdout } = await store.git(['ls-tree', '-r', '-t', '-z', tree], { signal });
    const paths = pathsOf(stdout)
      .filter((line) => KEPT_WITH_MODE.some((mode) => line.startsWith(`${mode} `)))
      .map((line) => line.slice(line.indexOf('\t') + 1));
    return this.seeAgain(context, paths);
  }

  /** @returns the recent ones */
  async seeAgain({ ports }: ScanContext, paths: readonly string[]): Promise<string[]> {
    const second = ports.clock.nowNs() / SECOND_NS;
    const files = paths.map((path) => joinPath(this.#workspace, path));
    const stats = await this.seeNow(ports, files);
    return paths.filter((_path, at) => {
      const stat = stats[at]!;
      return typeof stat !== 'string' && stat.ctimeNs / SECOND_NS >= second;
    });
  }

  async seeNow(
    { files }: ScanContext['ports'],
    paths: readonly string[],
  ): Promise<readonly (FileStat | string)[]> {
    const stats = await files.statAll(paths);
    for (const [at, path] of paths.entries()) {
      const stat = stats[at]!;
      if (typeof stat !== 'string') this.see(path, stat);
    }
    return stats;
  }
}
