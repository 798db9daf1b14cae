import type { Exec } from '../common/ports.ts';
import type { TouchedPath } from '../volume/listing.ts';
import { Tool, ToolFailure } from '../volume/tool.ts';
import { parseDiffOutput } from './diffOutput.ts';

/** With more paths, comparing whole trees is faster. */
const MAX_TOUCHED = 3000;
const MAX_DIFF_BYTES = 4 * 1024 * 1024;
/** Matches our snapshots and no others. */
const OWN_SNAPSHOT = /^[^@]+@ah-[0-9a-f]{16}-[A-Za-z0-9_-]+$/;
const OWN_CLONE = /\/ah-clone-[0-9a-f]{16}$/;

/** A mounted dataset. */
export interface Dataset {
  readonly name: string;
  readonly mountPoint: string;
}

/** The `zfs` command. Destroys only what this extension created. */
export class ZfsTool {
  readonly #tool: Tool;

  private constructor(tool: Tool) {
    this.#tool = tool;
  }

  static async find(exec: Exec): Promise<ZfsTool | undefined> {
    const tool = await Tool.find(exec, 'zfs', ['version']);
    return tool && new ZfsTool(tool);
  }

  async snapshot(snapshot: string, signal?: AbortSignal): Promise<void> {
    await this.#tool.run(['snapshot', snapshot], signal);
  }

  async exists(name: string): Promise<boolean> {
    const args = ['list', '-H', '-o', 'name', '-t', 'all', name];
    const { exitCode, stderr } = await this.#tool.attempt(args);
    if (exitCode === 0) return true;
    if (/does not exist/.test(stderr)) return false;
    throw new ToolFailure(stderr.trim());
  }

  /** Lists the snapshot names of a dataset, without the dataset, in the order they were taken. */
  async snapshotsOf(dataset: string): Promise<string[]> {
    const args = [
      'list',
      '-H',
      '-d',
      '1',
      '-t',
      'snapshot',
      '-s',
      'createtxg',
      '-o',
      'name',
      dataset,
    ];
    const lines = (await this.#tool.text(args)).split('\n').filter((line) => line !== '');
    return lines.map((line) => line.slice(line.indexOf('@') + 1));
  }

  /** Lists the datasets that have a snapshot of that name. */
  async datasetsWith(snapshotName: string): Promise<string[]> {
    const text = await this.#tool.text(['list', '-H', '-t', 'snapshot', '-o', 'name']);
    const ending = `@${snapshotName}`;
    const names = text.split('\n').filter((line) => line.endsWith(ending));
    return names.map((line) => line.slice(0, -ending.length));
  }

  /** Whether nothing was written to the dataset between two snapshots. */
  async isUnwritten(dataset: string, from: string, to: string): Promise<boolean> {
    const args = ['get', '-H', '-p', '-o', 'value', `written@${from}`, `${dataset}@${to}`];
    const { exitCode, stdout } = await this.#tool.attempt(args);
    return exitCode === 0 && new TextDecoder().decode(stdout).trim() === '0';
  }

  /**
   * Lists the paths that differ between two snapshots; undefined if there are too many, or if this
   * user lacks the permission (`zfs allow … diff`).
   */
  async touchedBetween(
    { name, mountPoint }: Dataset,
    from: string,
    to: string,
    signal: AbortSignal,
  ): Promise<TouchedPath[] | undefined> {
    try {
      const args = ['diff', '-F', '-H', `${name}@${from}`, `${name}@${to}`];
      const options = { signal, maxOutputBytes: MAX_DIFF_BYTES };
      const { exitCode, stdout } = await this.#tool.attempt(args, options);
      if (exitCode !== 0) return undefined;
      const touched = parseDiffOutput(new TextDecoder().decode(stdout), mountPoint);
      return touched && touched.length <= MAX_TOUCHED ? touched : undefined;
    } catch {
      signal.throwIfAborted();
      return undefined; // The output exceeds MAX_DIFF_BYTES.
    }
  }

  /** Estimates how many bytes destroying all these snapshots would free. Destroys nothing. */
  async reclaimable(dataset: string, names: readonly string[]): Promise<number> {
    const args = ['destroy', '-n', '-v', '-p', `${dataset}@${names.join(',')}`];
    const { stdout } = await this.#tool.attempt(args);
    const line = /^reclaim\t(\d+)$/m.exec(new TextDecoder().decode(stdout));
    return Number(line?.[1] ?? 0);
  }

  /**
   * Does nothing if the snapshot is gone. Dependent clones are never destroyed: without further
   * options, the command refuses.
   */
  async destroySnapshot(snapshot: string): Promise<void> {
    if (!OWN_SNAPSHOT.test(snapshot))
      throw new Error(`${snapshot} is not a snapshot that AH took.`);
    try {
      await this.#tool.run(['destroy', snapshot]);
    } catch (error) {
      if (await this.exists(snapshot)) throw error;
    }
  }

  /** Creates a clone and mounts it if this user may mount. */
  async clone(snapshot: string, clone: string, folder: string, signal: AbortSignal): Promise<void> {
    await this.#tool.run(['clone', '-o', `mountpoint=${folder}`, snapshot, clone], signal);
  }

  async destroyClone(clone: string): Promise<void> {
    if (!OWN_CLONE.test(clone)) throw new Error(`${clone} is not a clone that AH created.`);
    const args = ['get', '-H', '-o', 'value', 'origin', clone];
    const origin = (await this.#tool.text(args)).trim();
    if (!OWN_SNAPSHOT.test(origin))
      throw new Error(`${clone} is not a clone of a snapshot that AH took.`);
    await this.#tool.run(['destroy', clone]);
  }
}
