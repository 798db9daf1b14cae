import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Beyond that, looking into each of them takes longer than to watch everything anew. */
const MAX_FOLDERS = 100;
const MAX_UNREAD = 2000;

/**
 * Folders that came with folders in them, made in one go or moved. The system's watcher is told of the upper one, and of what
 * happens in the inner ones not, or under their old names: whatever is in them may have changed, each time.
 */
export class FreshFolders {
  readonly #workspace: string;
  /** Came, and were not looked at yet; none when there were too many, or one whose name is not known. */
  #unread: Set<string> | undefined = new Set();
  readonly #deep = new Set<string>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** As of the last time that {@link deep} was asked for. */
  get known(): readonly string[] {
    return [...this.#deep];
  }

  /** @param relative what came: mostly a file */
  add(relative: string): void {
    this.#unread?.add(relative);
    // Names that are not UTF-8 are told with U+FFFD, and cannot be looked up.
    if ((this.#unread?.size ?? 0) > MAX_UNREAD || relative.includes('\uFFFD'))
      this.#unread = undefined;
  }

  /** Everything is watched from now on. */
  clear(): void {
    this.#unread = new Set();
    this.#deep.clear();
  }

  /** Those of which not everything is told; nothing when there are too many. */
  async deep(): Promise<readonly string[] | undefined> {
    if (!this.#unread) return undefined;
    const unread = this.#unread;
    this.#unread = new Set();
    await Promise.all(
      [...unread].map(async (relative) => {
        if (await this.#holdsFolders(relative)) this.#deep.add(relative);
      }),
    );
    return this.#deep.size > MAX_FOLDERS ? undefined : [...this.#deep];
  }

  async #holdsFolders(relative: string): Promise<boolean> {
    try {
      const folder = path.join(this.#workspace, relative);
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.some((entry) => entry.isDirectory());
    } catch (error) {
      // A file, or gone already; what cannot be looked into may hold anything.
      return !['ENOTDIR', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
    }
  }
}
