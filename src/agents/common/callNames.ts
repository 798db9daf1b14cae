import type { ExactValue } from '../../base/exactJson.ts';
import { contentKey } from './contentKey.ts';

/** Starts the id of a call that the source did not name: what follows is its content. */
const UNNAMED = '~';
/** Calls of one session whose names are remembered; the oldest go first. */
const MAX_CALLS = 10_000;

/** For a source that says what is called with what, and not which call it is: the hooks of some agents. */
export function unnamedCall(tool: string, input: ExactValue): string {
  return UNNAMED + contentKey([tool, input]);
}

export function isUnnamed(callId: string): boolean {
  return callId.startsWith(UNNAMED);
}

interface SameCalls {
  /** As the source that names them names them, in order. */
  readonly named: string[];
  /** How many were told without a name. */
  unnamed: number;
  unnamedResults: number;
}

/**
 * Brings together what two sources say of the same call, when only one of them gives it a name: the n-th call with this
 * content in one source is the n-th in the other.
 */
export class CallNames {
  readonly #byContent = new Map<string, SameCalls>();
  /** The name by which a call became known first, by the name it got later. */
  readonly #aliases = new Map<string, string>();

  /** @returns the name by which the call is known, and whether it became known by this */
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

  /** The name by which a call is known, of whatever name it has. */
  nameOf(callId: string): string {
    return this.#aliases.get(callId) ?? callId;
  }

  /** The name of the call that a result belongs to. */
  finished(callId: string): string {
    if (!isUnnamed(callId)) return this.nameOf(callId);
    const same = this.#same(callId);
    const nth = ++same.unnamedResults;
    // As long as its call came without a name first, that is how it is known.
    const named = same.named[nth - 1];
    return named !== undefined && !this.#aliases.has(named) ? named : nthCallName(callId, nth);
  }

  #same(content: string): SameCalls {
    let same = this.#byContent.get(content);
    if (!same) {
      same = { named: [], unnamed: 0, unnamedResults: 0 };
      this.#byContent.set(content, same);
      dropOldest(this.#byContent);
    }
    return same;
  }

  #alias(later: string, first: string): void {
    this.#aliases.set(later, first);
    dropOldest(this.#aliases);
  }
}

/** The name of the n-th call with this content, of a source that names none. */
export function nthCallName(content: string, nth: number): string {
  return `${content}.${nth}`;
}

function dropOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_CALLS) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
