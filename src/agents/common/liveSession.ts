import { ConcernDetector, type Concern } from './status/concernDetector.ts';
import { eventLine } from './events/eventLine.ts';
import { DROPPABLE, type AgentEvent } from './events/events.ts';
import {
  NO_FACTS,
  statusAt,
  withEvent,
  withOutput,
  type StatusFacts,
  type StatusView,
} from './status/status.ts';
import { withTurnEvent, type Turn } from './turns/turns.ts';

/** Limits of what stays in memory; the events file has everything. */
const MAX_EVENTS = 200;
const MAX_EVENT_CHARACTERS = 64 * 1024;
export const MAX_TURNS = 10;

/** The present state of one session, in bounded memory. Callers pass the current time. */
export class LiveSession {
  #facts: StatusFacts = NO_FACTS;
  #turns: readonly Turn[] = [];
  #recent: { readonly event: AgentEvent; readonly size: number }[] = [];
  #size = 0;
  #turnCount = 0;
  readonly #concerns = new ConcernDetector();

  /** @returns new concerns to notify the user about */
  push(event: AgentEvent): Concern[] {
    this.#facts = withEvent(this.#facts, event);
    if (event.kind === 'user.prompt') this.#turnCount++;
    this.#turns = withTurnEvent(this.#turns, event).slice(-MAX_TURNS);
    this.#keep(event);
    return this.#concerns.push(event);
  }

  /** The program printed something. */
  output(timeNs: bigint): void {
    this.#facts = withOutput(this.#facts, timeNs);
    this.#concerns.output(timeNs);
  }

  status(nowNs: bigint): StatusView {
    return statusAt(this.#facts, nowNs);
  }

  concerns(nowNs: bigint): Concern[] {
    return this.#concerns.at(nowNs);
  }

  /** The next time at which {@link concerns} may return something, if no event comes first. */
  get nextConcernNs(): bigint | undefined {
    return this.#concerns.nextNs;
  }

  /** The most recent turns, oldest first. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  get turnCount(): number {
    return this.#turnCount;
  }

  /** The most recent events, in the order of their arrival. */
  get recent(): readonly AgentEvent[] {
    return this.#recent.map(({ event }) => event);
  }

  #keep(event: AgentEvent): void {
    // An event longer than the whole limit stays in the file only.
    const size = eventLine(event).length;
    if (size > MAX_EVENT_CHARACTERS) return;
    this.#recent.push({ event, size });
    this.#size += size;
    while (this.#recent.length > MAX_EVENTS || this.#size > MAX_EVENT_CHARACTERS) this.#drop();
  }

  /** Drops droppable kinds first, then the oldest event. */
  #drop(): void {
    const droppable = this.#recent.findIndex(({ event }) => DROPPABLE.has(event.kind));
    const [dropped] = this.#recent.splice(Math.max(0, droppable), 1);
    this.#size -= dropped?.size ?? 0;
  }
}
