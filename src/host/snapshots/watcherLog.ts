import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../../base/clock.ts';
import { hasEscapedBytes, pathToBytes } from '../../snapshots/common/pathBytes.ts';

/** Beyond that it is not remembered what was told. */
const MAX_PATHS = 50_000;
/** On a busy machine an event may be on its way for so long: what is told sooner may have happened before. */
const LATE_NS = 250n * NANOSECONDS_PER_MILLISECOND;
/** Whoever is told of one of these looks everywhere. A name that is not UTF-8 is told with U+FFFD, and so may be any. */
const MEANS_MORE = /(^|\/)\.git(ignore)?$|\uFFFD/;
const lossy = new TextDecoder();

/** `never`: a snapshot that looks only where it was told to does not look there. `unknown`: it looks everywhere. */
export type WatcherAnswer = 'never' | 'at once' | 'later' | 'unknown';

/** What the watcher has told of since a snapshot began. */
export class WatcherLog {
  readonly #clock: Clock;
  readonly #sinceNs: bigint;
  /** When each path was told of first. */
  readonly #firstNs = new Map<string, bigint>();
  /** Something may have changed anywhere. */
  #isEverywhere = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceNs = clock.nowNs();
  }

  /** @param paths relative to the workspace; nothing when something may have changed anywhere */
  add(paths: readonly string[] | undefined): void {
    const nowNs = this.#clock.nowNs();
    for (const path of paths ?? ['']) {
      const isFull = this.#firstNs.size >= MAX_PATHS;
      if (path === '' || MEANS_MORE.test(path) || isFull) this.#isEverywhere = true;
      if (path !== '' && !isFull && !this.#firstNs.has(path)) this.#firstNs.set(path, nowNs);
    }
  }

  /** Whether a path, or a folder that it is in, was told of. */
  tells(path: string): WatcherAnswer {
    let telling: WatcherAnswer = this.#isEverywhere ? 'unknown' : 'never';
    const told = hasEscapedBytes(path) ? lossy.decode(pathToBytes(path)) : path;
    for (const place of [told, ...foldersAbove(told)]) {
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
