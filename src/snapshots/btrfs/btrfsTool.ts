import { pathFromBytes } from '../common/pathBytes.ts';
import type { Exec } from '../common/ports.ts';
import type { TouchedPath } from '../volume/listing.ts';
import { Tool, ToolFailure } from '../volume/tool.ts';
import { pathsOf } from '../common/zeroSeparated.ts';
import { parseSendStream } from './sendStream.ts';
import { touchedPaths } from './touchedPaths.ts';

/**
 * Inode numbers: every subvolume's top folder has the first, and the placeholder that a snapshot
 * has for a nested subvolume has the second.
 */
export const SUBVOLUME_INODE = 256n;
export const STUB_INODE = 2n;

/** Following renames takes quadratic time: with more commands, comparing whole trees is faster. */
const MAX_COMMANDS = 3000;
const MAX_STREAM_BYTES = 4 * 1024 * 1024;

/** The `btrfs` command. */
export class BtrfsTool {
  readonly #exec: Exec;
  readonly #tool: Tool;

  private constructor(exec: Exec, tool: Tool) {
    this.#exec = exec;
    this.#tool = tool;
  }

  static async find(exec: Exec): Promise<BtrfsTool | undefined> {
    const tool = await Tool.find(exec, 'btrfs', ['--version']);
    return tool && new BtrfsTool(exec, tool);
  }

  async createSubvolume(path: string): Promise<void> {
    await this.#tool.run(['subvolume', 'create', path]);
  }

  async snapshot(source: string, destination: string, signal?: AbortSignal): Promise<void> {
    await this.#tool.run(['subvolume', 'snapshot', '-r', source, destination], signal);
  }

  async writableSnapshot(source: string, destination: string, signal: AbortSignal): Promise<void> {
    await this.#tool.run(['subvolume', 'snapshot', source, destination], signal);
  }

  async deleteSubvolume(path: string): Promise<void> {
    try {
      await this.#tool.run(['subvolume', 'delete', path]);
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      // Only root can delete a read-only subvolume, and a subvolume that contains others can't be
      // deleted.
      if (/Read-only/.test(error.message)) {
        await this.#tool.run(['property', 'set', '-ts', path, 'ro', 'false']);
      } else if (/not empty/.test(error.message)) {
        await this.#deleteInside(path);
      } else {
        throw error;
      }
      await this.#tool.run(['subvolume', 'delete', path]);
    }
  }

  async #deleteInside(path: string): Promise<void> {
    const inside = await this.#foldersByInode(path, SUBVOLUME_INODE, undefined);
    for (const below of inside.filter((name) => name !== '').reverse()) {
      await this.deleteSubvolume(`${path}/${below}`);
    }
  }

  /**
   * Lists the subvolumes directly in a subvolume, by their path in the file system. Returns
   * undefined unless the user is root.
   */
  async subvolumesIn(top: string, signal: AbortSignal): Promise<string[] | undefined> {
    const { exitCode, stdout } = await this.#tool.attempt(['subvolume', 'list', '-o', top], {
      signal,
    });
    if (exitCode !== 0) return undefined;
    const paths: string[] = [];
    for (const line of pathFromBytes(stdout).split('\n').slice(0, -1)) {
      const path = /^ID \d+ gen \d+ top level \d+ path (.*)$/.exec(line)?.[1];
      if (path === undefined) return undefined; // The rest of a path with a line break.
      paths.push(path);
    }
    return paths;
  }

  /** Finds the placeholders of nested subvolumes in a snapshot, relative to the searched folder. */
  stubsIn(folder: string, signal: AbortSignal): Promise<string[]> {
    return this.#foldersByInode(folder, STUB_INODE, signal);
  }

  /** Lists each folder before the folders in it. */
  async #foldersByInode(
    folder: string,
    inode: bigint,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const args = [folder, '-type', 'd', '-inum', String(inode), '-printf', '%P\\0'];
    const { stdout } = await this.#exec('find', args, { cwd: '/', ...(signal && { signal }) });
    return pathsOf(stdout);
  }

  /**
   * Asks the file system what differs between two read-only snapshots. The time that this takes
   * depends on the number of differences. Returns undefined if the user is not root or there are
   * too many differences.
   */
  async touchedBetween(
    oldSnapshot: string,
    newSnapshot: string,
    signal: AbortSignal,
  ): Promise<TouchedPath[] | undefined> {
    const args = ['send', '--quiet', '--no-data', '-p', oldSnapshot, newSnapshot];
    try {
      const options = { signal, maxOutputBytes: MAX_STREAM_BYTES };
      const { exitCode, stdout } = await this.#tool.attempt(args, options);
      const commands = exitCode === 0 ? parseSendStream(stdout) : undefined;
      if (commands === undefined || commands.length > MAX_COMMANDS) return undefined;
      return touchedPaths(commands);
    } catch {
      signal.throwIfAborted();
      return undefined; // The output exceeds MAX_STREAM_BYTES.
    }
  }

  /** Returns the bytes that only this file uses; 0 if the user may not read it. */
  async exclusiveBytes(path: string): Promise<number> {
    const args = ['filesystem', 'du', '--summarize', '--raw', path];
    const { stdout } = await this.#tool.attempt(args);
    const line = new TextDecoder().decode(stdout).split('\n')[1] ?? '';
    const bytes = Number(line.trim().split(/\s+/)[1]);
    return Number.isSafeInteger(bytes) ? bytes : 0;
  }
}
