import {
  isTurnResumed,
  type AgentEvent,
  type AgentStatus,
  type Confidence,
} from '../events/events.ts';

/** An agent without an open turn and without output for this long is idle. */
const IDLE_NS = 120_000_000_000n;
/** A "running" title is valid for this long: titles blink, and the last change may be missed. */
const SIGN_NS = 30_000_000_000n;

/**
 * A title that arrives this soon after a question was sent before the question, so it is no sign of
 * an answer.
 */
const ANSWER_NS = 500_000_000n;

/** Limit for the open questions that are stored; agents have far fewer. */
const MAX_ASKED = 100;

export interface AskedCall {
  readonly callId: string;
  readonly title: string;
  readonly askedNs: bigint;
}

interface StatusSign {
  readonly status: AgentStatus;
  readonly timeNs: bigint;
  /**
   * Whether an escape sequence reported the status, which is then valid until the next sequence;
   * otherwise a title showed it.
   */
  readonly isReported: boolean;
}

/** The known facts about an agent's state. Its status follows from these and the time. */
export interface StatusFacts {
  readonly exitedNs: bigint | undefined;
  /** When the open turn began. */
  readonly openTurnNs: bigint | undefined;
  /** Calls that wait for approval, oldest first. */
  readonly asked: readonly AskedCall[];
  /** When the agent became ready for a prompt; undefined once it works again. */
  readonly promptReadyNs: bigint | undefined;
  /** The last state from a title or an escape sequence. */
  readonly sign: StatusSign | undefined;
  /**
   * Whether the agent reports questions as events; a title that asks may then only mean that a
   * command waits for input.
   */
  readonly reportsQuestions: boolean;
  readonly lastEventNs: bigint | undefined;
  readonly lastOutputNs: bigint | undefined;
}

/** The evidence that a status is based on. */
export type StatusReason =
  | 'ended'
  | 'asked'
  | 'title-asks'
  | 'reports-asking'
  | 'turn'
  | 'title-works'
  | 'reports-working'
  | 'turn-over'
  | 'left-at-prompt'
  | 'left'
  | 'silent'
  | 'nothing';

export interface StatusView {
  readonly status: AgentStatus;
  readonly confidence: Confidence;
  readonly reason: StatusReason;
  /** The call that needs approval, in one line; empty for other statuses. */
  readonly subject: string;
  /** When the status began; undefined before the first event. */
  readonly sinceNs: bigint | undefined;
  /** Whether the agent waits for the user's next prompt, no matter how long it has waited. */
  readonly isPromptReady: boolean;
  /** The next time at which the status may change without an event. */
  readonly nextNs: bigint | undefined;
}

export const NO_FACTS: StatusFacts = {
  exitedNs: undefined,
  openTurnNs: undefined,
  asked: [],
  promptReadyNs: undefined,
  sign: undefined,
  reportsQuestions: false,
  lastEventNs: undefined,
  lastOutputNs: undefined,
};

/** Output shows that something runs, but not that it is the agent. */
export function withOutput(facts: StatusFacts, timeNs: bigint): StatusFacts {
  return { ...facts, lastOutputNs: later(facts.lastOutputNs, timeNs) };
}

export function withEvent(facts: StatusFacts, event: AgentEvent): StatusFacts {
  const seen = { ...facts, lastEventNs: later(facts.lastEventNs, event.timeNs) };
  // An event after the exit means that the agent cleared the session and began another.
  const alive = { ...seen, exitedNs: undefined };
  switch (event.kind) {
    case 'session.exited':
      // Agents report the end of a conversation, not of the program; only the recorder knows that.
      if (event.source !== 'host') return withTurnOver(seen, event.timeNs);
      return { ...seen, exitedNs: event.timeNs, openTurnNs: undefined, asked: [] };
    case 'session.started':
      return alive;
    case 'user.prompt':
      return {
        ...alive,
        openTurnNs: event.timeNs,
        asked: [],
        promptReadyNs: undefined,
        sign: undefined,
      };
    case 'approval.requested': {
      const others = alive.asked.filter(({ callId }) => callId !== event.callId);
      const { callId, title, timeNs } = event;
      const asked = [...others, { callId, title, askedNs: timeNs }].slice(-MAX_ASKED);
      return { ...alive, asked, reportsQuestions: true };
    }
    case 'approval.resolved':
    case 'tool.result':
      return { ...alive, asked: alive.asked.filter(({ callId }) => callId !== event.callId) };
    case 'turn.completed':
      return withTurnOver(alive, event.timeNs);
    case 'status.changed':
      if (isTurnResumed(event)) {
        return { ...alive, openTurnNs: event.timeNs, promptReadyNs: undefined, sign: undefined };
      }
      return withSign(alive, {
        status: event.status,
        timeNs: event.timeNs,
        isReported: event.source === 'osc' && event.confidence === 'high',
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
  // The slower source repeats the end of the previous turn after the next turn began.
  if (facts.openTurnNs !== undefined && timeNs < facts.openTurnNs) return facts;
  return { ...facts, openTurnNs: undefined, asked: [], promptReadyNs: timeNs, sign: undefined };
}

function withSign(facts: StatusFacts, sign: StatusSign): StatusFacts {
  const { status, timeNs } = sign;
  if (status === 'waiting') {
    // The agent shows its prompt: its turn is over, even if no record says so, as after an
    // interruption.
    return { ...facts, sign, openTurnNs: undefined, asked: [], promptReadyNs: timeNs };
  }
  if (status === 'running') {
    // The title no longer asks, so the user answered; most agents report the answer only after the
    // tool ran.
    const isAnswered = facts.sign?.status === 'waiting_approval';
    const asked = facts.asked.filter(({ askedNs }) => !isAnswered && timeNs < askedNs + ANSWER_NS);
    return { ...facts, sign, promptReadyNs: undefined, asked };
  }
  // Capture was turned off: the turn may be over.
  if (status === 'unknown') {
    return { ...NO_FACTS, lastEventNs: facts.lastEventNs, lastOutputNs: facts.lastOutputNs };
  }
  return { ...facts, sign };
}

/** The status at a time: the first one with evidence, in the order of importance to the user. */
export function statusAt(facts: StatusFacts, nowNs: bigint): StatusView {
  const { asked, sign, openTurnNs, exitedNs } = facts;
  if (exitedNs !== undefined) return view('exited', 'high', 'ended', { sinceNs: exitedNs });
  const [request] = asked;
  if (request) {
    const { title, askedNs } = request;
    return view('waiting_approval', 'high', 'asked', { subject: title, sinceNs: askedNs });
  }
  if (sign?.status === 'waiting_approval' && !facts.reportsQuestions) {
    const { timeNs: sinceNs, isReported } = sign;
    return isReported
      ? view('waiting_approval', 'high', 'reports-asking', { sinceNs })
      : view('waiting_approval', 'medium', 'title-asks', { sinceNs });
  }
  // An open turn counts as running even in silence: a test run may print nothing for minutes.
  if (openTurnNs !== undefined) return view('running', 'high', 'turn', { sinceNs: openTurnNs });
  if (sign?.status === 'running' && sign.isReported) {
    return view('running', 'high', 'reports-working', { sinceNs: sign.timeNs });
  }
  if (sign?.status === 'running' && nowNs < sign.timeNs + SIGN_NS) {
    const times = { sinceNs: sign.timeNs, nextNs: sign.timeNs + SIGN_NS };
    return view('running', 'medium', 'title-works', times);
  }
  return quietStatus(facts, nowNs);
}

/** The status without an open turn. Silence alone never means "waiting". */
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

/** The status of a session whose program ended, even if no event says so. */
export function endedStatus(endedNs: bigint | undefined): StatusView {
  return view('exited', 'high', 'ended', { sinceNs: endedNs });
}

function view(
  status: AgentStatus,
  confidence: Confidence,
  reason: StatusReason,
  more: Partial<Pick<StatusView, 'subject' | 'sinceNs' | 'nextNs' | 'isPromptReady'>>,
): StatusView {
  const { subject = '', sinceNs, nextNs, isPromptReady = false } = more;
  return { status, confidence, reason, subject, sinceNs, nextNs, isPromptReady };
}

function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
