import type { ExactValue } from '../../../base/exactJson.ts';
import { dropOldest } from '../dropOldest.ts';
import { contentKey } from './contentKey.ts';

/** Prefix of a call ID that is made from the call's content, since the source gives none. */
const UNNAMED = '~';
/** How many calls of a session are remembered; the oldest are dropped first. */
const MAX_CALLS = 10_000;

/** A call ID for sources that report a call's content but no ID, such as some agents' hooks. */
export function unnamedCall(tool: string, input: ExactValue): string {
  return UNNAMED + contentKey([tool, input]);
}

export function isUnnamed(callId: string): boolean {
  return callId.startsWith(UNNAMED);
}

interface SameCalls {
  /** Call IDs from the source that has them, in order. */
  readonly named: string[];
  /** How many calls were reported without an ID. */
  unnamed: number;
  unnamedResults: number;
}

/**
 * Matches the reports of two sources about the same call when only one of them has call IDs: the
 * n-th call with some content in one source is the n-th call with that content in the other.
 */
export class CallNames {
  readonly #byContent = new Map<string, SameCalls>();
  /** Maps a call's later ID to the ID under which it was first reported. */
  readonly #aliases = new Map<string, string>();

  /** @returns the ID of the call, and whether this is its first report */
  called(callId: string, tool: string, input: ExactValue): { callId: string; isNew: boolean } {
    const content = unnamedCall(tool, input);
    const same = this.#same(content);
    if (!isUnnamed(callId)) {
      if (same.named.includes(callId)) return { callId: this.nameOf(callId), isNew: false };
      const nth = same.named.push(callId);
      if (nth > same.unnamed) return { callId, isNew: true };
      this.#alias(callId, nthCallName(content, nth));
      return { callId: nthCallName(content, nth), isNew: false };
    }
    const nth = ++same.unnamed;
    const named = same.named[nth - 1];
    return named === undefined
      ? { callId: nthCallName(content, nth), isNew: true }
      : { callId: named, isNew: false };
  }

  /** The ID under which a call was first reported. */
  nameOf(callId: string): string {
    return this.#aliases.get(callId) ?? callId;
  }

  /** The ID of the call that a result belongs to. */
  finished(callId: string): string {
    if (!isUnnamed(callId)) return this.nameOf(callId);
    const same = this.#same(callId);
    const nth = ++same.unnamedResults;
    // A call that was first reported without an ID keeps its content-based ID.
    const named = same.named[nth - 1];
    return named !== undefined && !this.#aliases.has(named) ? named : nthCallName(callId, nth);
  }

  #same(content: string): SameCalls {
    let same = this.#byContent.get(content);
    if (!same) {
      same = { named: [], unnamed: 0, unnamedResults: 0 };
      this.#byContent.set(content, same);
      dropOldest(this.#byContent, MAX_CALLS);
    }
    return same;
  }

  #alias(later: string, first: string): void {
    this.#aliases.set(later, first);
    dropOldest(this.#aliases, MAX_CALLS);
  }
}

/** The ID of the n-th call with this content, for a source without call IDs. */
export function nthCallName(content: string, nth: number): string {
  return `${content}.${nth}`;
}
