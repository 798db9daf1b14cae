import { MAX_SUMMARY_CHARACTERS, shortened } from '../bounded.ts';
import type { AgentEvent, ToolAction, ToolOutcome, TurnOutcome } from '../events/events.ts';

/** How many tool calls of a turn stay in memory; the others are only counted. */
const MAX_TOOLS = 200;
const MAX_FILES = 200;

export interface TurnTool {
  readonly callId: string;
  readonly tool: string;
  readonly action: ToolAction;
  readonly title: string;
  readonly outcome?: ToolOutcome;
  readonly exitCode?: number | undefined;
}

export interface TurnApproval {
  readonly callId: string;
  readonly title: string;
  readonly askedNs: bigint;
  readonly decision?: 'allowed' | 'denied';
  readonly resolvedNs?: bigint;
}

/** A prompt and what the agent did until the next prompt. */
export interface Turn {
  /** The event ID of the prompt. */
  readonly id: string;
  readonly prompt: string;
  readonly startNs: bigint;
  readonly endNs?: bigint;
  readonly outcome?: TurnOutcome;
  /** The agent's last message. */
  readonly answer: string;
  readonly answerNs: bigint;
  readonly tools: readonly TurnTool[];
  readonly toolCount: number;
  readonly approvals: readonly TurnApproval[];
  readonly files: readonly string[];
  readonly errors: readonly string[];
  readonly tokens: { readonly input: number; readonly output: number; readonly cacheRead: number };
}

/** Applies an event to the turns. The last turn is open until it has an end. */
export function withTurnEvent(turns: readonly Turn[], event: AgentEvent): readonly Turn[] {
  const last = turns.at(-1);
  if (event.kind === 'user.prompt') {
    const before = last ? withLast(turns, overBy(last, event)) : turns;
    return [...before, newTurn(event.id, event.text, event.timeNs)];
  }
  if (!last) return turns;
  // A late event, from the slower of two sources, belongs to the previous turn.
  const isLate = event.timeNs < last.startNs && turns.length > 1;
  const before = isLate ? turns.at(-2) : undefined;
  const turn = before ?? last;
  const changed = changedTurn(turn, event);
  return changed === turn ? turns : turns.with(before ? -2 : -1, changed);
}

function newTurn(id: string, prompt: string, startNs: bigint): Turn {
  return {
    id,
    prompt: shortened(prompt, MAX_SUMMARY_CHARACTERS),
    startNs,
    answer: '',
    answerNs: 0n,
    tools: [],
    toolCount: 0,
    approvals: [],
    files: [],
    errors: [],
    tokens: { input: 0, output: 0, cacheRead: 0 },
  };
}

function withLast(turns: readonly Turn[], turn: Turn): readonly Turn[] {
  return turns.with(turns.length - 1, turn);
}

/** Ends a turn when the next begins: its end may be unreported or reported too late. */
function overBy(turn: Turn, next: AgentEvent): Turn {
  if (turn.endNs === undefined) return ended(turn, next);
  return turn.endNs <= next.timeNs ? turn : { ...turn, endNs: next.timeNs };
}

/** Marks a turn as interrupted when a prompt or the session's end comes before the turn's end. */
function ended(turn: Turn, event: AgentEvent): Turn {
  return { ...turn, endNs: event.timeNs, outcome: 'interrupted' };
}

function changedTurn(turn: Turn, event: AgentEvent): Turn {
  if (event.kind === 'assistant.message') return withAnswer(turn, event.text, event.timeNs);
  if (event.kind === 'tool.call') {
    const { callId, tool, action, title } = event;
    const tools = [...turn.tools, { callId, tool, action, title }].slice(-MAX_TOOLS);
    return { ...turn, tools, toolCount: turn.toolCount + 1 };
  }
  if (event.kind === 'tool.result') {
    const { callId, outcome, exitCode } = event;
    const tools = turn.tools.map((tool) =>
      tool.callId === callId ? { ...tool, outcome, exitCode } : tool,
    );
    const files = [...new Set([...turn.files, ...event.files])].slice(0, MAX_FILES);
    return { ...turn, tools, files };
  }
  if (event.kind === 'approval.requested') {
    const { callId, title, timeNs } = event;
    const approvals = [...turn.approvals, { callId, title, askedNs: timeNs }].slice(-MAX_TOOLS);
    return { ...turn, approvals };
  }
  if (event.kind === 'approval.resolved') {
    const { callId, decision, timeNs } = event;
    const approvals = turn.approvals.map((approval) =>
      approval.callId === callId ? { ...approval, decision, resolvedNs: timeNs } : approval,
    );
    return { ...turn, approvals };
  }
  if (event.kind === 'tokens.used') {
    const { input, output, cacheRead } = turn.tokens;
    const tokens = {
      input: input + event.input,
      output: output + event.output,
      cacheRead: cacheRead + event.cacheRead,
    };
    return { ...turn, tokens };
  }
  if (event.kind === 'error') {
    const errors = [...turn.errors, shortened(event.message, MAX_SUMMARY_CHARACTERS)].slice(-10);
    return { ...turn, errors };
  }
  if (event.kind === 'turn.completed' && turn.endNs === undefined) {
    const answered = event.answer ? withAnswer(turn, event.answer, event.timeNs) : turn;
    return { ...answered, endNs: event.timeNs, outcome: event.outcome };
  }
  if (event.kind === 'session.exited' && turn.endNs === undefined) return ended(turn, event);
  return turn;
}

/** Keeps the latest answer by its own time, since events arrive out of order. */
function withAnswer(turn: Turn, answer: string, timeNs: bigint): Turn {
  if (timeNs < turn.answerNs) return turn;
  return { ...turn, answer: shortened(answer, MAX_SUMMARY_CHARACTERS), answerNs: timeNs };
}

/**
 * All turns of a session, oldest first. Only the last two turns can change, so the cost stays
 * linear.
 */
export function turnsOf(events: readonly AgentEvent[]): Turn[] {
  const done: Turn[] = [];
  let recent: readonly Turn[] = [];
  for (const event of events) {
    recent = withTurnEvent(recent, event);
    if (recent.length <= 2) continue;
    done.push(...recent.slice(0, -2));
    recent = recent.slice(-2);
  }
  return [...done, ...recent];
}

export function durationMs(turn: Turn): number | undefined {
  return turn.endNs === undefined ? undefined : Number((turn.endNs - turn.startNs) / 1_000_000n);
}
