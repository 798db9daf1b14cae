import { dropOldest } from '../../agents/common/dropOldest.ts';
import type { AgentEvent } from '../../agents/common/events/events.ts';
import type { Clock } from '../../base/clock.ts';
import { wallNs } from '../../platform/node/systemClock.ts';

/** Agents never have this many open calls; beyond it, results were lost. */
const MAX_OPEN_CALLS = 256;

interface OpenCall {
  readonly timeNs: bigint;
  readonly isStored: boolean;
}

interface Gap {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/**
 * Decides which events are stored while capture is switched off and on. Agents write some records
 * late, so an event may arrive after the gap in which it happened: its own time counts too.
 */
export class CaptureGaps {
  readonly #clock: Pick<Clock, 'nowNs'>;
  readonly #wallNs: () => bigint;
  readonly #ended: Gap[] = [];
  readonly #calls = new Map<string, OpenCall>();
  #sinceNs: bigint | undefined;
  #isSealed = false;
  /** Whether a part of the present turn is in a gap: what the agent says may be from there. */
  #isTurnCut = false;
  /** When the last such turn ended. Agents may write its messages later. */
  #cutToNs = -1n;

  /** @param readWallNs the clock that agents use, which may differ from the recorder's */
  constructor(clock: Pick<Clock, 'nowNs'>, readWallNs = wallNs) {
    this.#clock = clock;
    this.#wallNs = readWallNs;
  }

  get isOpen(): boolean {
    return this.#sinceNs !== undefined;
  }

  /** Events of earlier times are stored until {@link seal}. */
  begin(): void {
    const [now, wall] = [this.#clock.nowNs(), this.#wallNs()];
    this.#sinceNs = now < wall ? now : wall;
    this.#isSealed = false;
  }

  /** No event is stored until {@link end}: those of earlier times have been read. */
  seal(): void {
    this.#isSealed = true;
  }

  end(): void {
    if (this.#sinceNs === undefined) return;
    const [now, wall] = [this.#clock.nowNs(), this.#wallNs()];
    this.#ended.push({ fromNs: this.#sinceNs, toNs: now > wall ? now : wall });
    this.#sinceNs = undefined;
    this.#isTurnCut = true;
  }

  /** The events to store, without what happened in a gap. */
  stored(events: readonly AgentEvent[]): AgentEvent[] {
    return events.flatMap((event) => {
      const isLost = this.#isLost(event);
      if ('callId' in event && (event.kind === 'tool.call' || !this.#calls.has(event.callId)))
        this.#open(event.callId, event.timeNs, !isLost);
      const stored = isLost ? undefined : this.#withoutGaps(event);
      if (event.kind === 'tool.result') this.#calls.delete(event.callId);
      return stored ?? [];
    });
  }

  #isLost({ timeNs }: AgentEvent): boolean {
    if (this.#sinceNs !== undefined && (this.#isSealed || timeNs >= this.#sinceNs)) return true;
    return this.#ended.some(({ fromNs, toNs }) => timeNs >= fromNs && timeNs <= toNs);
  }

  #open(callId: string, timeNs: bigint, isStored: boolean): void {
    this.#calls.set(callId, { timeNs, isStored });
    dropOldest(this.#calls, MAX_OPEN_CALLS);
  }

  #withoutGaps(event: AgentEvent): AgentEvent | undefined {
    const last = this.#ended.at(-1);
    if (!last) return event;
    const isCut = this.#isTurnCut || event.timeNs <= this.#cutToNs;
    const isTurnEdge = event.kind === 'user.prompt' || event.kind === 'turn.completed';
    if (this.#isTurnCut && isTurnEdge && event.timeNs > last.toNs) {
      this.#isTurnCut = false;
      this.#cutToNs = event.timeNs;
    }
    if (isCut && event.kind === 'turn.completed') return { ...event, answer: undefined };
    // It may have streamed during the gap: agents date it by its start or by its end.
    if (isCut && (event.kind === 'assistant.message' || event.kind === 'assistant.delta'))
      return undefined;
    // Its raw record may have changed since its time.
    if (event.kind === 'unknown' && event.timeNs <= last.toNs) return undefined;
    if (!('callId' in event)) return event;
    const call = this.#calls.get(event.callId);
    if (call?.isStored === false) return undefined;
    // The call ran during the gap: its result has what it printed then. Its time does not tell,
    // since some agents date a result by the message that has the call.
    if (event.kind === 'tool.result' && call && call.timeNs <= last.toNs)
      return { ...event, summary: '', files: [] };
    return event;
  }
}
