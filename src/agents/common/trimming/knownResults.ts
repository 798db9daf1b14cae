import { nthCallName, unnamedCall } from '../events/callNames.ts';
import type { AgentEvent } from '../events/events.ts';
import type { RecordedCall } from './recordedCall.ts';

/** The calls that were finished at a moment, according to the session's events. */
export class KnownResults {
  readonly #finished: ReadonlySet<string>;

  constructor(finished: ReadonlySet<string> = new Set()) {
    this.#finished = finished;
  }

  /** @param events the events up to the moment */
  static of(events: readonly AgentEvent[]): KnownResults {
    const finished = events.flatMap((event) => (event.kind === 'tool.result' ? event.callId : []));
    return new KnownResults(new Set(finished));
  }

  has(callId: string): boolean {
    return this.#finished.has(callId);
  }

  /**
   * Returns a predicate that tells whether a call was finished. It must get every call of the
   * session, in order: some hooks identify a call only as the n-th one with the same content.
   */
  inOrder(): (call: RecordedCall) => boolean {
    const counts = new Map<string, number>();
    return ({ callId, tool, input }) => {
      const content = unnamedCall(tool, input);
      const nth = (counts.get(content) ?? 0) + 1;
      counts.set(content, nth);
      return this.#finished.has(callId) || this.#finished.has(nthCallName(content, nth));
    };
  }
}
