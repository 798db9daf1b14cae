import { NANOSECONDS_PER_MILLISECOND, type Clock } from '../../../base/clock.ts';
import { hasEscapedBytes, pathToBytes } from '../../common/pathBytes.ts';

/** With more paths than this, the log only notes that any file may have changed. */
const MAX_PATHS = 50_000;
/**
 * Longest delay of an event on a busy machine. An event within this time after a snapshot began may
 * belong to a change before the snapshot.
 */
const LATE_NS = 250n * NANOSECONDS_PER_MILLISECOND;
/**
 * If one of these paths changes, any file may be affected. U+FFFD replaces bytes that are not
 * UTF-8, so a path with it may stand for any file.
 */
const AFFECTS_ALL = /(^|\/)\.git(ignore)?$|\uFFFD/;
const lossy = new TextDecoder();

/**
 * When a path was reported after a snapshot began. `at once`: so early that the change may be older
 * than the snapshot. `never`: the next incremental snapshot does not scan the path. `unknown`: any
 * file may have changed, so the next snapshot scans everything.
 */
export type WatcherAnswer = 'never' | 'at once' | 'later' | 'unknown';

/** The changes that the watcher has reported since a snapshot began. */
export class WatcherLog {
  readonly #clock: Clock;
  readonly #sinceNs: bigint;
  /** Time of each path's first report. */
  readonly #firstNs = new Map<string, bigint>();
  /** Any file may have changed. */
  #isEverywhere = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceNs = clock.nowNs();
  }

  /** @param paths relative to the workspace; undefined when any file may have changed */
  add(paths: readonly string[] | undefined): void {
    const nowNs = this.#clock.nowNs();
    for (const path of paths ?? ['']) {
      const isFull = this.#firstNs.size >= MAX_PATHS;
      if (path === '' || AFFECTS_ALL.test(path) || isFull) this.#isEverywhere = true;
      if (path !== '' && !isFull && !this.#firstNs.has(path)) this.#firstNs.set(path, nowNs);
    }
  }

  /** Whether and when a path, or a folder above it, was reported. */
  reported(path: string): WatcherAnswer {
    let answer: WatcherAnswer = this.#isEverywhere ? 'unknown' : 'never';
    const asReported = hasEscapedBytes(path) ? lossy.decode(pathToBytes(path)) : path;
    for (const place of [asReported, ...foldersAbove(asReported)]) {
      const firstNs = this.#firstNs.get(place);
      if (firstNs === undefined) continue;
      if (firstNs - this.#sinceNs < LATE_NS) return 'at once';
      answer = 'later';
    }
    return answer;
  }
}

/** The folders above a relative path, innermost first; the last is `''`. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = path; folder !== '';) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    folders.push(folder);
  }
  return folders;
}
