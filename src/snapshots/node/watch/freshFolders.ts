import { errorCode } from '../../../base/errors.ts';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** With more folders than this, watching everything again is faster than scanning them. */
const MAX_FOLDERS = 100;
const MAX_UNREAD = 2000;

/**
 * New folders that already contain folders, because they were created together or moved. The
 * system's watcher reports only the outer folder. It does not report changes in the inner folders,
 * or reports them under their old paths. So each snapshot scans these folders.
 */
export class FreshFolders {
  readonly #workspace: string;
  /**
   * New paths that were not checked yet; undefined when there are too many, or one has an unknown
   * name.
   */
  #unread: Set<string> | undefined = new Set();
  readonly #deep = new Set<string>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** The result of the last {@link deep}. */
  get known(): readonly string[] {
    return [...this.#deep];
  }

  /** @param relative path of a new file or folder */
  add(relative: string): void {
    this.#unread?.add(relative);
    // The watcher reports names that are not UTF-8 with U+FFFD, so they can't be looked up.
    if ((this.#unread?.size ?? 0) > MAX_UNREAD || relative.includes('\uFFFD'))
      this.#unread = undefined;
  }

  /** Call after subscribing again: all folders are watched then. */
  clear(): void {
    this.#unread = new Set();
    this.#deep.clear();
  }

  /** Returns the folders whose changes are not all reported; undefined when there are too many. */
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
      // Files, and folders that were removed already, contain no folders. Another folder that can't
      // be read may contain anything.
      return !['ENOTDIR', 'ENOENT'].includes(errorCode(error) ?? '');
    }
  }
}
