import type { AgentEvent, AgentStatus, Confidence } from './events.ts';

/** Without output for this long, and nothing under way, an agent is idle. */
export const IDLE_NS = 120_000_000_000n;
/** A title or a sign of life counts as "running" for this long: titles blink, and the last one may have been missed. */
export const SIGN_NS = 30_000_000_000n;

/** What is known of an agent's state, and when. Everything else follows from it and the time. */
export interface StatusFacts {
  readonly exitedNs: bigint | undefined;
  /** A turn began and has not ended. */
  readonly openTurnNs: bigint | undefined;
  /** Calls that wait for a person, oldest first. */
  readonly asked: readonly { readonly callId: string; readonly title: string }[];
  /** The agent said that it waits for a prompt, after everything else. */
  readonly promptReadyNs: bigint | undefined;
  /** The last state that a title told, and what came first in it. */
  readonly sign: { readonly status: AgentStatus; readonly timeNs: bigint } | undefined;
  readonly lastEventNs: bigint | undefined;
  readonly lastOutputNs: bigint | undefined;
}

export interface StatusView {
  readonly status: AgentStatus;
  readonly confidence: Confidence;
  /** Why, for people. */
  readonly evidence: string;
  /** When it has to be looked at again, if nothing happens until then. */
  readonly nextNs: bigint | undefined;
}

export const NO_FACTS: StatusFacts = {
  exitedNs: undefined,
  openTurnNs: undefined,
  asked: [],
  promptReadyNs: undefined,
  sign: undefined,
  lastEventNs: undefined,
  lastOutputNs: undefined,
};

/** Bytes on the screen: they show that somebody is alive, and not who. */
export function withOutput(facts: StatusFacts, timeNs: bigint): StatusFacts {
  return { ...facts, lastOutputNs: later(facts.lastOutputNs, timeNs) };
}

export function withEvent(facts: StatusFacts, event: AgentEvent): StatusFacts {
  const seen = { ...facts, lastEventNs: later(facts.lastEventNs, event.timeNs) };
  // A sign of life: it goes on after all (a session cleared, another begun).
  const alive = { ...seen, exitedNs: undefined };
  switch (event.kind) {
    case 'session.exited':
      return { ...seen, exitedNs: event.timeNs, openTurnNs: undefined, asked: [] };
    case 'session.started':
      return alive;
    case 'user.prompt':
      return {
        ...alive,
        ...{ openTurnNs: event.timeNs, asked: [], promptReadyNs: undefined, sign: undefined },
      };
    case 'approval.requested': {
      const others = alive.asked.filter(({ callId }) => callId !== event.callId);
      return { ...alive, asked: [...others, { callId: event.callId, title: event.title }] };
    }
    case 'approval.resolved':
    case 'tool.result':
      return { ...alive, asked: alive.asked.filter(({ callId }) => callId !== event.callId) };
    case 'turn.completed': {
      // The slow source tells the end of a turn after the next has begun.
      if (facts.openTurnNs !== undefined && event.timeNs < facts.openTurnNs) return seen;
      const sign = undefined;
      return { ...alive, openTurnNs: undefined, asked: [], promptReadyNs: event.timeNs, sign };
    }
    case 'status.changed':
      return withSign(alive, event.status, event.timeNs);
    case 'tool.call':
    case 'assistant.message':
    case 'assistant.delta':
    case 'tokens.used':
      return alive;
    case 'context.compacted':
    case 'error':
    case 'checkpoint':
    case 'timeline.sessionBranch.created':
    case 'heartbeat':
    case 'unknown':
      return seen;
  }
}

function withSign(facts: StatusFacts, status: AgentStatus, timeNs: bigint): StatusFacts {
  const sign = { status, timeNs };
  if (status === 'waiting') {
    // The agent shows its prompt: whatever was under way is over, even if no record says so (an interruption).
    return { ...facts, sign, openTurnNs: undefined, asked: [], promptReadyNs: timeNs };
  }
  if (status === 'running') return { ...facts, sign, promptReadyNs: undefined };
  return { ...facts, sign };
}

/** The status at a moment: the first that there is evidence for, in the order in which they matter to people. */
export function statusAt(facts: StatusFacts, nowNs: bigint): StatusView {
  const { asked, sign, openTurnNs, promptReadyNs } = facts;
  if (facts.exitedNs !== undefined) return settled('exited', 'high', 'The program has ended.');
  const [request] = asked;
  if (request) {
    const title = request.title || 'something';
    return settled('waiting_approval', 'high', `Permission is asked for: ${title}`);
  }
  if (sign?.status === 'waiting_approval')
    return settled('waiting_approval', 'medium', 'The title says that an action is required.');
  // However long nothing is printed: a test run may be silent for minutes.
  if (openTurnNs !== undefined) return settled('running', 'high', 'It works on a prompt.');
  if (sign?.status === 'running' && nowNs < sign.timeNs + SIGN_NS) {
    const evidence = 'The title says that it works.';
    return { status: 'running', confidence: 'medium', evidence, nextNs: sign.timeNs + SIGN_NS };
  }
  return quietStatus(facts, promptReadyNs, nowNs);
}

/** Nothing is under way: is it waiting, or has it been left? Silence alone never means "waiting". */
function quietStatus(
  facts: StatusFacts,
  promptReadyNs: bigint | undefined,
  nowNs: bigint,
): StatusView {
  const lastNs = later(facts.lastEventNs, facts.lastOutputNs);
  if (lastNs === undefined) return settled('unknown', 'low', 'Nothing is known of it yet.');
  const idleNs = lastNs + IDLE_NS;
  if (nowNs >= idleNs) {
    return promptReadyNs === undefined
      ? settled('idle', 'medium', 'Nothing has happened for two minutes.')
      : settled('idle', 'high', 'It has waited for a prompt for two minutes.');
  }
  if (promptReadyNs !== undefined) {
    const evidence = 'Its turn is over.';
    return { status: 'waiting', confidence: 'high', evidence, nextNs: idleNs };
  }
  const evidence = 'It runs, and says nothing of what it does.';
  return { status: 'unknown', confidence: 'low', evidence, nextNs: idleNs };
}

function settled(status: AgentStatus, confidence: Confidence, evidence: string): StatusView {
  return { status, confidence, evidence, nextNs: undefined };
}

function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
