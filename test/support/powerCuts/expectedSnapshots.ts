import type { LoggedDisk } from './loggedDisk.ts';

/** Contents of all files by path; undefined once the snapshot was deleted. */
export type Files = ReadonlyMap<string, string> | undefined;

export interface SnapshotKey {
  readonly session: string;
  readonly snapshot: string;
}

/** A snapshot and what it may contain; more than one while something is changing it. */
export interface Expectation extends SnapshotKey {
  readonly either: readonly Files[];
}

/** What snapshots must contain after each mark in a disk's log. */
export class ExpectedSnapshots {
  readonly #disk: LoggedDisk;
  /** By number of the mark. */
  readonly #states: Expectation[][] = [[]];

  constructor(disk: LoggedDisk) {
    this.#disk = disk;
  }

  get #last(): readonly Expectation[] {
    return this.#states.at(-1)!;
  }

  /** Call when the recorder has reported that a snapshot is stored. */
  async kept(key: SnapshotKey, files: Files): Promise<void> {
    await this.#mark([...this.#last, { ...key, either: [files] }]);
  }

  /**
   * Runs something that changes or deletes snapshots.
   * @param contents reads a snapshot afterwards
   */
  async during(
    change: () => Promise<void>,
    contents: (key: SnapshotKey) => Promise<Files>,
  ): Promise<void> {
    const before = this.#last;
    // Until the change ends, expect nothing: its result is not known yet.
    const changing = this.#states.push([]) - 1;
    await this.#disk.mark(String(changing));
    await change();
    const after: Expectation[] = [];
    for (const key of before) after.push({ ...key, either: [await contents(key)] });
    this.#states[changing] = before.map((old, index) => ({
      ...old,
      either: [...old.either, ...after[index]!.either],
    }));
    await this.#mark(after);
  }

  /** What is expected after these marks. */
  after(marks: readonly string[]): readonly Expectation[] {
    return this.#states[Number(marks.at(-1) ?? 0)]!;
  }

  async #mark(state: Expectation[]): Promise<void> {
    await this.#disk.mark(String(this.#states.push(state) - 1));
  }
}
