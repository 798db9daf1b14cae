import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../base/clock.ts';

/** Beyond that it is not remembered what was told. */
const MAX_PATHS = 50_000;
/** On a busy machine an event may be on its way for so long: what is told sooner may have happened before. */
const LATE_NS = 250n * NANOSECONDS_PER_MILLISECOND;
/** Whoever is told of one of these looks everywhere. */
const MEANS_MORE = /(^|\/)\.git(ignore)?$/;

/** `never`: a snapshot that looks only where it was told to does not look there. `unknown`: it looks everywhere. */
export type Telling = 'never' | 'at once' | 'later' | 'unknown';

/** What the watcher has told of since a snapshot began. */
export class ToldChanges {
  readonly #clock: Clock;
  readonly #sinceNs: bigint;
  /** When each path was told of first; none when that is not known. */
  #firstNs: Map<string, bigint> | undefined = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceNs = clock.nowNs();
  }

  /** @param paths relative to the workspace; nothing when something may have changed anywhere */
  add(paths: readonly string[] | undefined): void {
    const nowNs = this.#clock.nowNs();
    for (const path of paths ?? ['']) {
      const isEverywhere = path === '' || MEANS_MORE.test(path);
      if (isEverywhere || (this.#firstNs?.size ?? 0) >= MAX_PATHS) this.#firstNs = undefined;
      if (!this.#firstNs) return;
      if (!this.#firstNs.has(path)) this.#firstNs.set(path, nowNs);
    }
  }

  /** Whether a path, or a folder that it is in, was told of. */
  tells(path: string): Telling {
    if (!this.#firstNs) return 'unknown';
    let telling: Telling = 'never';
    for (const place of [path, ...foldersAbove(path)]) {
      const firstNs = this.#firstNs.get(place);
      if (firstNs === undefined) continue;
      if (firstNs - this.#sinceNs < LATE_NS) return 'at once';
      telling = 'later';
    }
    return telling;
  }
}

/** The folders that a relative path is in, the innermost first; the last is `''`. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = path; folder !== '';) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    folders.push(folder);
  }
  return folders;
}
