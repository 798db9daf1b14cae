import { Detectors, type Concern } from './detectors.ts';
import { eventLine } from './eventLine.ts';
import { DROPPABLE, type AgentEvent } from './events.ts';
import {
  NO_FACTS,
  statusAt,
  withEvent,
  withOutput,
  type StatusFacts,
  type StatusView,
} from './status.ts';
import { withTurnEvent, type Turn } from './turns.ts';

/** What is kept of a session in memory; all of it is in its file. */
export const MAX_EVENTS = 200;
export const MAX_EVENT_CHARACTERS = 64 * 1024;
export const MAX_TURNS = 10;

/** One session as it is right now: bounded, whatever the session does. Time comes in from outside. */
export class LiveSession {
  #facts: StatusFacts = NO_FACTS;
  #turns: readonly Turn[] = [];
  #recent: { readonly event: AgentEvent; readonly size: number }[] = [];
  #size = 0;
  #turnCount = 0;
  readonly #detectors = new Detectors();

  /** @returns what somebody should be told */
  push(event: AgentEvent): Concern[] {
    this.#facts = withEvent(this.#facts, event);
    if (event.kind === 'user.prompt') this.#turnCount++;
    this.#turns = withTurnEvent(this.#turns, event).slice(-MAX_TURNS);
    this.#keep(event);
    return this.#detectors.push(event);
  }

  /** The program printed something. */
  output(timeNs: bigint): void {
    this.#facts = withOutput(this.#facts, timeNs);
    this.#detectors.output(timeNs);
  }

  status(nowNs: bigint): StatusView {
    return statusAt(this.#facts, nowNs);
  }

  concerns(nowNs: bigint): Concern[] {
    return this.#detectors.at(nowNs);
  }

  /** When {@link concerns} may have something new, if nothing happens until then. */
  get nextConcernNs(): bigint | undefined {
    return this.#detectors.nextNs;
  }

  /** The last turns, oldest first. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  get turnCount(): number {
    return this.#turnCount;
  }

  /** The last events, oldest first, in the order of their arrival. */
  get recent(): readonly AgentEvent[] {
    return this.#recent.map(({ event }) => event);
  }

  #keep(event: AgentEvent): void {
    // An event that alone is too long for the ring stays in the file only.
    const size = eventLine(event).length;
    if (size > MAX_EVENT_CHARACTERS) return;
    this.#recent.push({ event, size });
    this.#size += size;
    while (this.#recent.length > MAX_EVENTS || this.#size > MAX_EVENT_CHARACTERS) this.#drop();
  }

  /** First what may be left out, then what is oldest. */
  #drop(): void {
    const droppable = this.#recent.findIndex(({ event }) => DROPPABLE.has(event.kind));
    const [dropped] = this.#recent.splice(Math.max(0, droppable), 1);
    this.#size -= dropped?.size ?? 0;
  }
}
