import type { AgentEvent } from '../events/events.ts';
import { inOrder } from '../events/events.ts';
import { toolCommand } from '../events/toolAction.ts';
import { durationMs, turnsOf, type Turn } from './turns.ts';

/** Commands that run tests, in any language. */
const TEST_COMMAND =
  /\b(?:npm (?:run )?test|npx (?:mocha|jest|vitest|playwright)|yarn test|pnpm (?:run )?test|pytest|python -m (?:pytest|unittest)|go test|cargo test|mvn test|gradle test|make (?:test|check)|dotnet test|ctest|rspec|phpunit|tox)\b/;

export interface TurnStatistics {
  readonly prompt: string;
  readonly startNs: bigint;
  /** Undefined while the turn is open. */
  readonly durationMs: number | undefined;
  /** The part of the duration in which the agent did not wait for approvals. */
  readonly workMs: number | undefined;
  /** How long the agent waited for approvals; simultaneous ones count once. */
  readonly approvalWaitMs: number;
  readonly tools: number;
  readonly files: number;
  readonly tokens: number;
  /** How long each approval took. */
  readonly approvalMs: readonly number[];
  /** How often tests failed, a file was edited and the tests ran again. */
  readonly testFixLoops: number;
  /** How long the agent waited for this prompt after the previous turn. */
  readonly idleBeforeMs: number;
}

export interface SessionStatistics {
  readonly turns: readonly TurnStatistics[];
  /** Without the time in which the agent waited for approvals. */
  readonly workMs: number;
  readonly approvalWaitMs: number;
  readonly idleMs: number;
  readonly approvals: number;
  readonly medianApprovalMs: number | undefined;
  readonly testFixLoops: number;
  readonly tokens: number;
}

/** Computes statistics of a session and its turns. */
export function statisticsOf(events: readonly AgentEvent[]): SessionStatistics {
  const ordered = inOrder(events);
  const loops = testFixLoops(ordered);
  let previousEndNs: bigint | undefined;
  const turns = turnsOf(ordered).map((turn): TurnStatistics => {
    const idleNs = previousEndNs === undefined ? 0n : turn.startNs - previousEndNs;
    previousEndNs = turn.endNs;
    const duration = durationMs(turn);
    const approvalWaitMs = milliseconds(approvalWaitNs(turn));
    return {
      prompt: turn.prompt,
      startNs: turn.startNs,
      durationMs: duration,
      workMs: duration === undefined ? undefined : Math.max(0, duration - approvalWaitMs),
      approvalWaitMs,
      tools: turn.toolCount,
      files: turn.files.length,
      tokens: turn.tokens.input + turn.tokens.output,
      approvalMs: turn.approvals.flatMap(({ askedNs, resolvedNs }) =>
        resolvedNs === undefined ? [] : [milliseconds(resolvedNs - askedNs)],
      ),
      testFixLoops: loops.get(turn.id) ?? 0,
      idleBeforeMs: milliseconds(idleNs),
    };
  });
  const latencies = turns.flatMap(({ approvalMs }) => approvalMs).sort((a, b) => a - b);
  const sum = (pick: (turn: TurnStatistics) => number): number =>
    turns.reduce((total, turn) => total + pick(turn), 0);
  return {
    turns,
    workMs: sum((turn) => turn.workMs ?? 0),
    approvalWaitMs: sum((turn) => turn.approvalWaitMs),
    idleMs: sum(({ idleBeforeMs }) => idleBeforeMs),
    approvals: latencies.length,
    medianApprovalMs: latencies[Math.floor((latencies.length - 1) / 2)],
    testFixLoops: sum((turn) => turn.testFixLoops),
    tokens: sum(({ tokens }) => tokens),
  };
}

/** An approval without an answer waits until the end of its turn. */
function approvalWaitNs({ approvals, endNs }: Turn): bigint {
  let totalNs = 0n;
  let untilNs = 0n;
  for (const { askedNs, resolvedNs } of inOrderOf(approvals)) {
    const answeredNs = lesser(resolvedNs ?? endNs ?? askedNs, endNs);
    const fromNs = askedNs > untilNs ? askedNs : untilNs;
    if (answeredNs <= fromNs) continue;
    totalNs += answeredNs - fromNs;
    untilNs = answeredNs;
  }
  return totalNs;
}

function inOrderOf(approvals: Turn['approvals']): Turn['approvals'] {
  return [...approvals].sort((a, b) => Number(a.askedNs - b.askedNs));
}

function lesser(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a;
}

/** Counts test-and-fix loops by turn ID. */
function testFixLoops(ordered: readonly AgentEvent[]): Map<string, number> {
  const loops = new Map<string, number>();
  const testCalls = new Set<string>();
  let turn = '';
  let state: 'none' | 'failed' | 'changed' = 'none';
  for (const event of ordered) {
    if (event.kind === 'user.prompt') turn = event.id;
    if (event.kind === 'tool.call') {
      if (event.action === 'shell' && TEST_COMMAND.test(toolCommand(event.input) ?? '')) {
        if (state === 'changed') loops.set(turn, (loops.get(turn) ?? 0) + 1);
        state = 'none';
        testCalls.add(event.callId);
      } else if (event.action === 'edit' && state === 'failed') state = 'changed';
    }
    if (event.kind === 'tool.result' && testCalls.delete(event.callId)) {
      state = event.outcome === 'failed' ? 'failed' : 'none';
    }
  }
  return loops;
}

function milliseconds(ns: bigint): number {
  return Math.max(0, Number(ns / 1000n) / 1000);
}
