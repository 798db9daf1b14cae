import type { ExactValue } from '../../../base/exactJson.ts';
import type {
  AgentEvent,
  ApprovalRequested,
  ApprovalResolved,
  StatusChanged,
  ToolCalled,
  ToolFinished,
  TurnCompleted,
  UserPrompt,
} from './events.ts';
import { dropOldest } from '../dropOldest.ts';
import { CallNames, isUnnamed } from './callNames.ts';
import { contentKey } from './contentKey.ts';
import { SeenSet } from './seenSet.ts';

interface OpenCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: ExactValue;
  readonly title: string;
  readonly content: string;
  isAsked: boolean;
}

/** Agents never have this many open calls; with more, the results of some were lost. */
const MAX_OPEN_CALLS = 256;

/**
 * Merges events of hooks, transcript and screen into one stream that has each fact once. Repeated
 * records (a transcript that is read again, a hook that fires three times) have no effect.
 */
export class EventMerger {
  readonly #seen = new SeenSet();
  readonly #calls = new CallNames();
  readonly #open = new Map<string, OpenCall>();
  /** How often each source reported a prompt, by the key of the prompt's text. */
  readonly #prompts = new Map<string, Map<string, number>>();
  #lastHookCallNs = -1n;
  #turn: { readonly id: string; readonly startNs: bigint } | undefined;
  /** Whether a title reported "running" since the last turn ended. */
  #hasWorked = false;
  /** The end of a short turn, reported by a title before the transcript reported its prompt. */
  #early: TurnCompleted | undefined;

  /** @returns the new events: none, or `event` and others that follow from it */
  push(event: AgentEvent): AgentEvent[] {
    // Skips repeated records of one source; different sources are compared below.
    if (!this.#seen.add(`${event.source} ${event.id}`)) return [];
    if (event.kind === 'user.prompt') return this.#prompt(event);
    if (event.kind === 'tool.call') return this.#call(event);
    if (event.kind === 'tool.result') return this.#result(event);
    if (event.kind === 'approval.requested') return this.#asked(event);
    if (event.kind === 'approval.resolved') return this.#resolved(event);
    if (event.kind === 'turn.completed') return this.#turnCompleted(event);
    if (event.kind === 'status.changed') return this.#statusChanged(event);
    return this.#once(event);
  }

  #once(event: AgentEvent): AgentEvent[] {
    return this.#seen.add(event.id) ? [event] : [];
  }

  #prompt(event: UserPrompt): AgentEvent[] {
    const counts = this.#promptCounts(event.text.trim());
    const reported = Math.max(0, ...counts.values());
    const nth = (counts.get(event.source) ?? 0) + 1;
    counts.set(event.source, nth);
    if (nth <= reported || !this.#seen.add(event.id)) return [];
    const early = this.#early;
    // Several prompts may be reported after the end of their turns; each of them gets this end.
    if (early && event.timeNs <= early.timeNs) {
      return [event, { ...early, id: `${early.id}/${event.id}` }];
    }
    this.#turn = { id: event.id, startNs: event.timeNs };
    return [event];
  }

  #promptCounts(text: string): Map<string, number> {
    const key = contentKey(text);
    const counts = this.#prompts.get(key) ?? new Map<string, number>();
    this.#prompts.set(key, counts);
    return counts;
  }

  #call(event: ToolCalled): AgentEvent[] {
    if (event.source === 'hook') this.#lastHookCallNs = event.timeNs;
    else if (event.confidence !== 'high' && this.#lastHookCallNs >= event.timeNs) {
      // This call is a script that calls tools, and hooks already reported each of those calls.
      this.#seen.add(`result ${event.callId}`);
      return [];
    }
    const { callId, isNew } = this.#calls.called(event.callId, event.tool, event.input);
    if (!isNew || !this.#seen.add(`call ${callId}`)) return [];
    const content = contentKey([event.tool, event.input]);
    // Some agents request approval before they report the call.
    const isAsked = this.#seen.has(`asked ${callId}`) && !this.#seen.has(`resolved ${callId}`);
    const { tool, input, title } = event;
    this.#open.set(callId, { callId, tool, input, title, content, isAsked });
    dropOldest(this.#open, MAX_OPEN_CALLS);
    return [{ ...event, callId }];
  }

  #result(event: ToolFinished): AgentEvent[] {
    const callId = this.#calls.finished(event.callId);
    if (!this.#seen.add(`result ${callId}`)) return [];
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    const result: ToolFinished = { ...event, callId, tool: event.tool || call?.tool || '' };
    // Most agents don't report that the user approved: the tool's result shows it.
    const resolved = call?.isAsked ? this.#resolve(result) : [];
    return [...resolved, result];
  }

  #resolve(result: ToolFinished): AgentEvent[] {
    const { callId, source, agent, agentSession, timeNs, outcome } = result;
    return this.#resolved({
      kind: 'approval.resolved',
      id: `${result.id}/approval`,
      source,
      confidence: 'medium',
      agent,
      agentSession,
      timeNs,
      callId,
      decision: outcome === 'denied' || outcome === 'interrupted' ? 'denied' : 'allowed',
    });
  }

  #asked(event: ApprovalRequested): AgentEvent[] {
    const call = this.#callOf(event);
    const callId = call?.callId ?? event.callId;
    if (call?.isAsked || !this.#seen.add(`asked ${callId}`)) return [];
    if (call) call.isAsked = true;
    if (!call || event.tool !== '') return [{ ...event, callId }];
    // The request does not name its call: it is about the latest open call.
    const { tool, title } = call;
    return [{ ...event, callId, tool, title, input: event.input ?? call.input }];
  }

  /**
   * Finds the call by its ID. A request without an ID belongs to the latest open call with the same
   * content, else to the latest call.
   */
  #callOf({ callId, tool, input }: ApprovalRequested): OpenCall | undefined {
    const named = this.#open.get(this.#calls.nameOf(callId));
    if (named || !isUnnamed(callId)) return named;
    const open = [...this.#open.values()].reverse();
    const content = contentKey([tool, input]);
    return open.find((call) => call.content === content) ?? open[0];
  }

  #resolved(event: ApprovalResolved): AgentEvent[] {
    const callId = this.#calls.nameOf(event.callId);
    const call = this.#open.get(callId);
    if (call) call.isAsked = false;
    return this.#seen.add(`resolved ${callId}`) ? [{ ...event, callId }] : [];
  }

  /** Ends open calls as interrupted, since agents don't always report their results. */
  #interrupt(event: TurnCompleted): AgentEvent[] {
    const { source, agent, agentSession, timeNs } = event;
    return [...this.#open.values()].flatMap(({ callId, tool }) =>
      this.#result({
        kind: 'tool.result',
        id: `${event.id}/${callId}`,
        source,
        confidence: 'medium',
        agent,
        agentSession,
        timeNs,
        callId,
        tool,
        outcome: 'interrupted',
        summary: '',
        files: [],
      }),
    );
  }

  #statusChanged(event: StatusChanged): AgentEvent[] {
    if (event.source === 'osc' && event.status !== 'waiting') {
      this.#hasWorked = true;
      // The next prompt may belong to this work, whose end will be reported separately.
      this.#early = undefined;
    }
    return this.#once(event);
  }

  #turnCompleted(event: TurnCompleted): AgentEvent[] {
    const { source, timeNs } = event;
    // The slower source repeats the end of the previous turn after the next turn began.
    if (this.#turn && timeNs < this.#turn.startNs) return [];
    const isEarly = !this.#turn && source === 'osc' && this.#hasWorked;
    if (isEarly) this.#early = event;
    this.#hasWorked = false;
    if (!this.#turn) return [];
    this.#turn = undefined;
    if (!this.#seen.add(event.id)) return [];
    return [...(event.outcome === 'interrupted' ? this.#interrupt(event) : []), event];
  }
}
