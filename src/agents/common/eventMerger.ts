import type { ExactValue } from '../../base/exactJson.ts';
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

/** More calls than this are never open at once; a list that grows has lost its results. */
const MAX_OPEN_CALLS = 256;

/**
 * Makes one stream of what hooks, transcript and screen say: each fact once, whoever tells it first. The same records may
 * come again and again (a transcript read anew, a hook that fires three times); they change nothing.
 */
export class EventMerger {
  readonly #seen = new SeenSet();
  readonly #calls = new CallNames();
  readonly #open = new Map<string, OpenCall>();
  /** How often each source told a prompt with this text. */
  readonly #prompts = new Map<string, Map<string, number>>();
  #lastHookCallNs = -1n;
  #turn: { readonly id: string; readonly startNs: bigint } | undefined;
  /** A title has said that the agent works, since the last end of a turn. */
  #hasWorked = false;
  /** The end of a turn whose beginning nobody has told yet: a title overtakes the transcript when a turn is short. */
  #early: TurnCompleted | undefined;

  /** @returns the events that are new: none, this one, or this one and what follows from it */
  push(event: AgentEvent): AgentEvent[] {
    // The same record of the same source again. Sources are kept apart: each counts for itself below.
    if (!this.#seen.add(`${event.source} ${event.id}`)) return [];
    if (event.kind === 'user.prompt') return this.#prompt(event);
    if (event.kind === 'tool.call') return this.#call(event);
    if (event.kind === 'tool.result') return this.#result(event);
    if (event.kind === 'approval.requested') return this.#asked(event);
    if (event.kind === 'approval.resolved') return this.#resolved(event);
    if (event.kind === 'turn.completed') return this.#turnCompleted(event);
    if (event.kind === 'status.changed') return this.#sign(event);
    return this.#once(event);
  }

  #once(event: AgentEvent): AgentEvent[] {
    return this.#seen.add(event.id) ? [event] : [];
  }

  #prompt(event: UserPrompt): AgentEvent[] {
    const counts = this.#promptCounts(event.text.trim());
    const told = Math.max(0, ...counts.values());
    const nth = (counts.get(event.source) ?? 0) + 1;
    counts.set(event.source, nth);
    if (nth <= told || !this.#seen.add(event.id)) return [];
    const early = this.#early;
    // Of several that are late each is over; the next one's beginning says when.
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
      // A call of calls, each of which a hook has told.
      this.#seen.add(`result ${event.callId}`);
      return [];
    }
    const { callId, isNew } = this.#calls.called(event.callId, event.tool, event.input);
    if (!isNew || !this.#seen.add(`call ${callId}`)) return [];
    const content = contentKey([event.tool, event.input]);
    // Some agents ask first and tell of the call then.
    const isAsked = this.#seen.has(`asked ${callId}`) && !this.#seen.has(`resolved ${callId}`);
    const { tool, input, title } = event;
    this.#open.set(callId, { callId, tool, input, title, content, isAsked });
    if (this.#open.size > MAX_OPEN_CALLS) {
      const oldest = this.#open.keys().next();
      if (!oldest.done) this.#open.delete(oldest.value);
    }
    return [{ ...event, callId }];
  }

  #result(event: ToolFinished): AgentEvent[] {
    const callId = this.#calls.finished(event.callId);
    if (!this.#seen.add(`result ${callId}`)) return [];
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    const result: ToolFinished = { ...event, callId, tool: event.tool || call?.tool || '' };
    // Most agents do not say that a person agreed: it shows when the tool has run.
    const resolved = call?.isAsked ? this.#resolve(result) : [];
    return [...resolved, result];
  }

  #resolve(result: ToolFinished): AgentEvent[] {
    const { callId, source, agent, agentSession, timeNs, outcome } = result;
    return this.#resolved({
      ...{ kind: 'approval.resolved', id: `${result.id}/approval`, source, confidence: 'medium' },
      ...{ agent, agentSession, timeNs, callId },
      decision: outcome === 'denied' || outcome === 'interrupted' ? 'denied' : 'allowed',
    });
  }

  #asked(event: ApprovalRequested): AgentEvent[] {
    const call = this.#callOf(event);
    const callId = call?.callId ?? event.callId;
    if (call?.isAsked || !this.#seen.add(`asked ${callId}`)) return [];
    if (call) call.isAsked = true;
    if (!call || event.tool !== '') return [{ ...event, callId }];
    // The agent says that it asks, and not what: that is what it has just called.
    const { tool, title } = call;
    return [{ ...event, callId, tool, title, input: event.input ?? call.input }];
  }

  /** The call that is asked about: by its name, else the last open one with the same content, else the last one. */
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

  /** What was under way is over, even where the agent has no word for that. */
  #interrupt(event: TurnCompleted): AgentEvent[] {
    const { source, agent, agentSession, timeNs } = event;
    return [...this.#open.values()].flatMap(({ callId, tool }) =>
      this.#result({
        ...{ kind: 'tool.result', id: `${event.id}/${callId}`, source, confidence: 'medium' },
        ...{ agent, agentSession, timeNs, callId, tool },
        ...{ outcome: 'interrupted', summary: '', files: [] },
      }),
    );
  }

  #sign(event: StatusChanged): AgentEvent[] {
    if (event.source === 'osc' && event.status !== 'waiting') {
      this.#hasWorked = true;
      // What comes now may be the beginning of this, and has an end of its own.
      this.#early = undefined;
    }
    return this.#once(event);
  }

  #turnCompleted(event: TurnCompleted): AgentEvent[] {
    const { source, timeNs } = event;
    // The slow source tells the end of a turn that the quick one has told, maybe after the next turn began.
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
