import type { ExactValue } from '../../base/exactJson.ts';
import { nthCallName, unnamedCall } from '../common/callNames.ts';
import type { AgentEvent } from '../common/events.ts';

/** Which calls were over at a moment, as the events of the session tell. */
export class KnownResults {
  readonly #finished: ReadonlySet<string>;

  constructor(finished: ReadonlySet<string> = new Set()) {
    this.#finished = finished;
  }

  /** @param events those of the moment and before */
  static of(events: readonly AgentEvent[]): KnownResults {
    const finished = events.flatMap((event) => (event.kind === 'tool.result' ? event.callId : []));
    return new KnownResults(new Set(finished));
  }

  has(callId: string): boolean {
    return this.#finished.has(callId);
  }

  /** To be asked about every call of a session, in order: hooks may know a call only as the n-th of its kind. */
  inOrder(): (callId: string, tool: string, input: ExactValue) => boolean {
    const counts = new Map<string, number>();
    return (callId, tool, input) => {
      const content = unnamedCall(tool, input);
      const nth = (counts.get(content) ?? 0) + 1;
      counts.set(content, nth);
      return this.#finished.has(callId) || this.#finished.has(nthCallName(content, nth));
    };
  }
}
