import { dropOldest } from '../../agents/common/dropOldest.ts';
import type { AgentEvent } from '../../agents/common/events/events.ts';
import type { Clock } from '../../base/clock.ts';
import { wallNs } from '../../platform/node/systemClock.ts';

/** No agent has more calls open. If there are more, results were lost: forget the oldest calls. */
const MAX_OPEN_CALLS = 256;

/** Events that an agent reports only in a turn. */
const TURN_PARTS: ReadonlySet<AgentEvent['kind']> = new Set([
  'tool.call',
  'tool.result',
  'approval.requested',
  'approval.resolved',
  'assistant.message',
  'assistant.delta',
  'turn.completed',
]);

interface OpenCall {
  readonly timeNs: bigint;
  readonly isStored: boolean;
}

interface Gap {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/**
 * Decides which events are stored. A gap is a time during which capture is off. Agents write some
 * records late, so an event may arrive after the gap in which it happened: the time of the event
 * counts too.
 */
export class CaptureGaps {
  readonly #clock: Pick<Clock, 'nowNs'>;
  readonly #wallNs: () => bigint;
  readonly #ended: Gap[] = [];
  readonly #calls = new Map<string, OpenCall>();
  #sinceNs: bigint | undefined;
  #isSealed = false;
  /**
   * Whether part of the current turn is in a gap: the agent's messages may then come from the gap.
   */
  #isTurnCut = false;
  /** When the last turn with a part in a gap ended. Agents may write its messages later. */
  #cutToNs = -1n;
  #hasResumed = false;
  /** When the agent first reported something in the current turn after a gap cut it. */
  #resumedNs: bigint | undefined;

  /**
   * @param readWallNs reads the clock that agents use, which may differ from the recorder's clock
   */
  constructor(clock: Pick<Clock, 'nowNs'>, readWallNs = wallNs) {
    this.#clock = clock;
    this.#wallNs = readWallNs;
  }

  get isOpen(): boolean {
    return this.#sinceNs !== undefined;
  }

  /** Begins a gap. Events from before it are still stored, until {@link seal}. */
  begin(): void {
    const [now, wall] = [this.#clock.nowNs(), this.#wallNs()];
    this.#sinceNs = now < wall ? now : wall;
    this.#isSealed = false;
  }

  /** Call when all events from before the gap have been read: none is stored until {@link end}. */
  seal(): void {
    this.#isSealed = true;
  }

  end(): void {
    if (this.#sinceNs === undefined) return;
    const [now, wall] = [this.#clock.nowNs(), this.#wallNs()];
    this.#ended.push({ fromNs: this.#sinceNs, toNs: now > wall ? now : wall });
    this.#sinceNs = undefined;
    this.#isTurnCut = true;
    this.#hasResumed = false;
  }

  /**
   * Returns, once for each cut turn, when the agent first reported something in it after the gap.
   * Before that, nothing shows whether the agent was in a turn.
   */
  takeResumedTurn(): bigint | undefined {
    const timeNs = this.#resumedNs;
    this.#resumedNs = undefined;
    return timeNs;
  }

  /** The events to store, without what happened in a gap. */
  stored(events: readonly AgentEvent[]): AgentEvent[] {
    return events.flatMap((event) => {
      const isLost = this.#isLost(event);
      if (!isLost) this.#noteResumed(event);
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

  /** Also events that are not stored, such as messages, show that the turn goes on. */
  #noteResumed({ kind, timeNs }: AgentEvent): void {
    const gapEndNs = this.#ended.at(-1)?.toNs;
    if (!this.#isTurnCut || this.#hasResumed || gapEndNs === undefined) return;
    if (timeNs <= gapEndNs || !TURN_PARTS.has(kind)) return;
    this.#hasResumed = true;
    this.#resumedNs = timeNs;
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
    // The message may have streamed during the gap: agents date it by its start or by its end.
    if (isCut && (event.kind === 'assistant.message' || event.kind === 'assistant.delta'))
      return undefined;
    // An unknown event contains a raw record, which the agent may have changed during the gap.
    if (event.kind === 'unknown' && event.timeNs <= last.toNs) return undefined;
    if (!('callId' in event)) return event;
    const call = this.#calls.get(event.callId);
    if (call?.isStored === false) return undefined;
    // The call may have run during the gap, and its result contains what it printed then. The time
    // of the result does not help: some agents date a result by the message that contains the call.
    if (event.kind === 'tool.result' && call && call.timeNs <= last.toNs)
      return { ...event, summary: '', files: [] };
    return event;
  }
}
