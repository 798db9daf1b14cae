import { errorCode } from '../../../base/errors.ts';
import type { FileStat } from '../../common/ports.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import { inParallel } from '../../common/inParallel.ts';
import { isRacyAt, isSameState } from './stableRead.ts';

/** Enough to keep the file system busy. */
const WALK_CONCURRENCY = 16;
const RULES = '.gitignore';
/** ENAMETOOLONG: the folder is deeper than a path can express. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'EIO', 'ENAMETOOLONG']);
/** An unreliable stamp, which equals no other. */
const DOUBTFUL = 'doubtful';

/** Stat data that shows whether a file or folder was changed or replaced. */
type Stamp = FileStat | typeof DOUBTFUL;

/** What git does not report about the folders of a work tree. Paths are relative to its root. */
export interface WalkResult {
  /** Folders with their own `.git`; nothing below them was looked at. */
  readonly nested: string[];
  /** Sockets, pipes, devices. */
  readonly special: string[];
  readonly unreadable: string[];
  /** Folders without content. */
  readonly empty: string[];
  /** Folders that are new or changed since {@link FolderWalk.begin}. */
  readonly changed: string[];
  /** The names in all folders, and their ignore rules, are the same as at the last walk. */
  readonly isSame: boolean;
}

interface SeenFolder {
  readonly stamp: Stamp;
  /** Stamp of the folder's `.gitignore`; `undefined` if it has none. */
  readonly rules: Stamp | undefined;
  readonly kind: 'open' | 'empty' | 'nested' | 'unreadable';
  readonly subfolders: readonly string[];
  readonly special: readonly string[];
  /** The number of the scan that last looked at the folder. */
  readonly turn: number;
}

/**
 * Walks the folders of a work tree. A folder's time changes with the names in it, so a folder with
 * the same time is not listed again.
 */
export class FolderWalk {
  readonly #ports: GitPorts;
  readonly #root: string;
  readonly #start: string;
  #seen: ReadonlyMap<string, SeenFolder> = new Map();
  /** Stamps of known folders, taken when this walk began; empty between walks. */
  #ahead: ReadonlyMap<string, Stamp | undefined> = new Map();
  #turn = 0;
  readonly #changed = new Set<string>();

  constructor(ports: GitPorts, root: string, start: string) {
    this.#ports = ports;
    this.#root = root;
    this.#start = start;
  }

  get isFirst(): boolean {
    return this.#seen.size === 0;
  }

  /** Starts a new scan: everything is looked at again. */
  begin(): void {
    this.#turn += 1;
    this.#changed.clear();
  }

  /** Makes the next walk list everything again. */
  forget(): void {
    this.#seen = new Map();
  }

  /** @param skipped ignored folders, which are not entered */
  async walk(skipped: ReadonlySet<string>, signal: AbortSignal): Promise<WalkResult> {
    await this.#lookAhead(signal);
    const seen = new Map<string, SeenFolder>();
    let isSame = true;
    const waiting = [this.#start];
    const visit = async (folder: string): Promise<void> => {
      const before = this.#seen.get(folder);
      const now = before?.turn === this.#turn ? before : await this.#look(folder, before);
      if (!now) return;
      if (!before || !isSameStamp(before.stamp, now.stamp)) {
        isSame = false;
        this.#changed.add(folder);
      } else if (!isSameStamp(before.rules, now.rules)) isSame = false;
      seen.set(folder, now);
      for (const path of now.subfolders) if (!skipped.has(path)) waiting.push(path);
    };
    while (waiting.length > 0) {
      signal.throwIfAborted();
      await inParallel(waiting.splice(0), WALK_CONCURRENCY, visit);
    }
    this.#seen = seen;
    this.#ahead = new Map();
    const all = [...seen];
    return {
      nested: all.filter(([, { kind }]) => kind === 'nested').map(([path]) => path),
      unreadable: all.filter(([, { kind }]) => kind === 'unreadable').map(([path]) => path),
      empty: all.filter(([, { kind }]) => kind === 'empty').map(([path]) => path),
      special: all.flatMap(([, { special }]) => special),
      changed: [...this.#changed],
      isSame,
    };
  }

  /** Looks at all known folders at once, before any of them is listed. */
  async #lookAhead(signal: AbortSignal): Promise<void> {
    const places: string[] = [];
    for (const [folder, { turn, rules }] of this.#seen) {
      if (turn === this.#turn) continue;
      const place = joinPath(this.#root, folder);
      places.push(place);
      if (rules !== undefined) places.push(joinPath(place, RULES));
    }
    const nowNs = this.#ports.clock.nowNs();
    const stats = await this.#ports.files.statAll(places);
    signal.throwIfAborted();
    // `stats` has the order of `places`.
    this.#ahead = new Map(places.map((place, at) => [place, stampOf(stats[at]!, nowNs)]));
  }

  /** Returns undefined if the folder does not exist. */
  async #look(folder: string, before: SeenFolder | undefined): Promise<SeenFolder | undefined> {
    const place = joinPath(this.#root, folder);
    const turn = this.#turn;
    // Take the stamp before listing: a name that is added meanwhile changes the folder's time.
    const stamp = await this.#stampOf(place);
    if (stamp === undefined) return undefined;
    const hasRules = before?.rules !== undefined;
    if (before && isSameStamp(before.stamp, stamp)) {
      const rules = hasRules ? await this.#stampOf(joinPath(place, RULES)) : undefined;
      return { ...before, rules, turn };
    }
    let entries;
    try {
      entries = await this.#ports.files.list(place);
    } catch (error) {
      const code = errorCode(error);
      if (UNREADABLE.has(code ?? '')) {
        return { stamp, rules: undefined, kind: 'unreadable', subfolders: [], special: [], turn };
      }
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
      return undefined;
    }
    if (folder !== this.#start && entries.some(({ name }) => name === '.git')) {
      return { stamp, rules: undefined, kind: 'nested', subfolders: [], special: [], turn };
    }
    const subfolders: string[] = [];
    const special: string[] = [];
    for (const { name, kind } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'other') special.push(path);
      else if (kind === 'folder' && name !== '.git') subfolders.push(path);
    }
    const isRuled = entries.some(({ name }) => name === RULES);
    const rules = isRuled ? await this.#stampOf(joinPath(place, RULES)) : undefined;
    const kind = entries.length === 0 && folder !== this.#start ? 'empty' : 'open';
    return { stamp, rules, kind, subfolders, special, turn };
  }

  async #stampOf(path: string): Promise<Stamp | undefined> {
    if (this.#ahead.has(path)) return this.#ahead.get(path);
    const nowNs = this.#ports.clock.nowNs();
    const [stat = 'ENOENT'] = await this.#ports.files.statAll([path]);
    return stampOf(stat, nowNs);
  }
}

/** Returns undefined if the path does not exist. */
function stampOf(stat: FileStat | string, nowNs: bigint): Stamp | undefined {
  if (stat === 'ENOENT' || stat === 'ENOTDIR') return undefined;
  return typeof stat === 'string' || isRacyAt(stat, nowNs) ? DOUBTFUL : stat;
}

function isSameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a === DOUBTFUL || b === DOUBTFUL) return false;
  return a.device === b.device && isSameState(a, b);
}
