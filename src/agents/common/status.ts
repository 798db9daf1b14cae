import type { AgentEvent, AgentStatus, Confidence } from './events.ts';

/** Without output for this long, and nothing under way, an agent is idle. */
export const IDLE_NS = 120_000_000_000n;
/** A title or a sign of life counts as "running" for this long: titles blink, and the last one may have been missed. */
export const SIGN_NS = 30_000_000_000n;

/** A title that was on its way when a question came says nothing of its answer. */
const ANSWER_NS = 500_000_000n;

/** Questions that wait at once; no agent has come near it. */
const MAX_ASKED = 100;

export interface AskedCall {
  readonly callId: string;
  readonly title: string;
  readonly askedNs: bigint;
}

interface StatusSign {
  readonly status: AgentStatus;
  readonly timeNs: bigint;
  /** Told as a state, which holds until another is told; otherwise it is what a title looks like. */
  readonly isTold: boolean;
}

/** What is known of an agent's state, and when. Everything else follows from it and the time. */
export interface StatusFacts {
  readonly exitedNs: bigint | undefined;
  /** A turn began and has not ended. */
  readonly openTurnNs: bigint | undefined;
  /** Calls that wait for a person, oldest first. */
  readonly asked: readonly AskedCall[];
  /** The agent said that it waits for a prompt, after everything else. */
  readonly promptReadyNs: bigint | undefined;
  /** The last state that a title told, or the agent itself in so many words. */
  readonly sign: StatusSign | undefined;
  /** The agent has told a question itself: its title alone means something else then, such as a command that waits for keys. */
  readonly tellsQuestions: boolean;
  readonly lastEventNs: bigint | undefined;
  readonly lastOutputNs: bigint | undefined;
}

/** What a status was concluded from. */
export type StatusReason =
  | 'ended'
  | 'asked'
  | 'title-asks'
  | 'tells-asking'
  | 'turn'
  | 'title-works'
  | 'tells-working'
  | 'turn-over'
  | 'left-at-prompt'
  | 'left'
  | 'silent'
  | 'nothing';

export interface StatusView {
  readonly status: AgentStatus;
  readonly confidence: Confidence;
  /** Why, for people. */
  readonly evidence: string;
  readonly reason: StatusReason;
  /** What permission is asked for, in one line; empty otherwise. */
  readonly subject: string;
  /** Since when it is so; undefined where nothing has happened yet. */
  readonly sinceNs: bigint | undefined;
  /** Its turn is over, and the next prompt is up to the person, however long ago that was. */
  readonly isPromptReady: boolean;
  /** When it has to be looked at again, if nothing happens until then. */
  readonly nextNs: bigint | undefined;
}

export const NO_FACTS: StatusFacts = {
  exitedNs: undefined,
  openTurnNs: undefined,
  asked: [],
  promptReadyNs: undefined,
  sign: undefined,
  tellsQuestions: false,
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
      // An agent says so of its conversation, also when the next one is about to begin: the program has its recorder to say so.
      if (event.source !== 'host') return withTurnOver(seen, event.timeNs);
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
      const { callId, title, timeNs } = event;
      const asked = [...others, { callId, title, askedNs: timeNs }].slice(-MAX_ASKED);
      return { ...alive, asked, tellsQuestions: true };
    }
    case 'approval.resolved':
    case 'tool.result':
      return { ...alive, asked: alive.asked.filter(({ callId }) => callId !== event.callId) };
    case 'turn.completed':
      return withTurnOver(alive, event.timeNs);
    case 'status.changed':
      return withSign(alive, {
        ...{ status: event.status, timeNs: event.timeNs },
        isTold: event.source === 'osc' && event.confidence === 'high',
      });
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

function withTurnOver(facts: StatusFacts, timeNs: bigint): StatusFacts {
  // The slow source tells the end of a turn after the next has begun.
  if (facts.openTurnNs !== undefined && timeNs < facts.openTurnNs) return facts;
  return { ...facts, openTurnNs: undefined, asked: [], promptReadyNs: timeNs, sign: undefined };
}

function withSign(facts: StatusFacts, sign: StatusSign): StatusFacts {
  const { status, timeNs } = sign;
  if (status === 'waiting') {
    // The agent shows its prompt: whatever was under way is over, even if no record says so (an interruption).
    return { ...facts, sign, openTurnNs: undefined, asked: [], promptReadyNs: timeNs };
  }
  if (status === 'running') {
    // The title no longer asks: somebody has answered, and most agents have no other word for it until the tool has run.
    const isAnswered = facts.sign?.status === 'waiting_approval';
    const asked = facts.asked.filter(({ askedNs }) => !isAnswered && timeNs < askedNs + ANSWER_NS);
    return { ...facts, sign, promptReadyNs: undefined, asked };
  }
  // Nobody is told any more: what was under way may be over.
  if (status === 'unknown') {
    return { ...NO_FACTS, lastEventNs: facts.lastEventNs, lastOutputNs: facts.lastOutputNs };
  }
  return { ...facts, sign };
}

/** The status at a moment: the first that there is evidence for, in the order in which they matter to people. */
export function statusAt(facts: StatusFacts, nowNs: bigint): StatusView {
  const { asked, sign, openTurnNs, exitedNs } = facts;
  if (exitedNs !== undefined) return view('exited', 'high', 'ended', { sinceNs: exitedNs });
  const [request] = asked;
  if (request) {
    const { title, askedNs } = request;
    return view('waiting_approval', 'high', 'asked', { subject: title, sinceNs: askedNs });
  }
  if (sign?.status === 'waiting_approval' && !facts.tellsQuestions) {
    const { timeNs: sinceNs, isTold } = sign;
    return isTold
      ? view('waiting_approval', 'high', 'tells-asking', { sinceNs })
      : view('waiting_approval', 'medium', 'title-asks', { sinceNs });
  }
  // However long nothing is printed: a test run may be silent for minutes.
  if (openTurnNs !== undefined) return view('running', 'high', 'turn', { sinceNs: openTurnNs });
  if (sign?.status === 'running' && sign.isTold) {
    return view('running', 'high', 'tells-working', { sinceNs: sign.timeNs });
  }
  if (sign?.status === 'running' && nowNs < sign.timeNs + SIGN_NS) {
    const times = { sinceNs: sign.timeNs, nextNs: sign.timeNs + SIGN_NS };
    return view('running', 'medium', 'title-works', times);
  }
  return quietStatus(facts, nowNs);
}

/** Nothing is under way: is it waiting, or has it been left? Silence alone never means "waiting". */
function quietStatus(facts: StatusFacts, nowNs: bigint): StatusView {
  const { promptReadyNs } = facts;
  const lastNs = later(facts.lastEventNs, facts.lastOutputNs);
  if (lastNs === undefined) return view('unknown', 'low', 'nothing', {});
  const idleNs = lastNs + IDLE_NS;
  if (promptReadyNs !== undefined) {
    const ready = { sinceNs: promptReadyNs, isPromptReady: true };
    return nowNs < idleNs
      ? view('waiting', 'high', 'turn-over', { ...ready, nextNs: idleNs })
      : view('idle', 'high', 'left-at-prompt', ready);
  }
  return nowNs < idleNs
    ? view('unknown', 'low', 'silent', { nextNs: idleNs })
    : view('idle', 'medium', 'left', { sinceNs: lastNs });
}

/** Of a session whose program is gone, even if its last event does not say so. */
export function endedStatus(endedNs: bigint | undefined): StatusView {
  return view('exited', 'high', 'ended', { sinceNs: endedNs });
}

const EVIDENCE: Readonly<Record<StatusReason, string>> = {
  ended: 'The program has ended.',
  asked: 'Permission is asked for.',
  'title-asks': 'The title says that an action is required.',
  'tells-asking': 'It tells the terminal that it waits for permission.',
  turn: 'It works on a prompt.',
  'title-works': 'The title says that it works.',
  'tells-working': 'It tells the terminal that it works.',
  'turn-over': 'Its turn is over.',
  'left-at-prompt': 'It has waited for a prompt for two minutes.',
  left: 'Nothing has happened for two minutes.',
  silent: 'It runs, and says nothing of what it does.',
  nothing: 'Nothing is known of it yet.',
};

function view(
  status: AgentStatus,
  confidence: Confidence,
  reason: StatusReason,
  more: Partial<Pick<StatusView, 'subject' | 'sinceNs' | 'nextNs' | 'isPromptReady'>>,
): StatusView {
  const { subject = '', sinceNs, nextNs, isPromptReady = false } = more;
  const evidence = subject === '' ? EVIDENCE[reason] : `Permission is asked for: ${subject}`;
  return { status, confidence, evidence, reason, subject, sinceNs, nextNs, isPromptReady };
}

function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
