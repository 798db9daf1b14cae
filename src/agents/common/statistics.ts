import type { AgentEvent } from './events.ts';
import { inOrder } from './events.ts';
import { toolCommand } from './toolAction.ts';
import { durationMs, turnsOf } from './turns.ts';

/** Commands that run tests, whatever the project is made of. */
const TEST_COMMAND =
  /\b(?:npm (?:run )?test|npx (?:mocha|jest|vitest|playwright)|yarn test|pnpm (?:run )?test|pytest|python -m (?:pytest|unittest)|go test|cargo test|mvn test|gradle test|make (?:test|check)|dotnet test|ctest|rspec|phpunit|tox)\b/;

export interface TurnStatistics {
  readonly prompt: string;
  readonly startNs: bigint;
  /** Undefined while it goes on. */
  readonly durationMs: number | undefined;
  readonly tools: number;
  readonly files: number;
  readonly tokens: number;
  /** How long each question waited for its answer. */
  readonly approvalMs: readonly number[];
  /** Tests failed, something was changed, and they were run again, this often. */
  readonly testFixLoops: number;
  /** From the end of the turn before to this prompt: the agent waited for the person. */
  readonly idleBeforeMs: number;
}

export interface SessionStatistics {
  readonly turns: readonly TurnStatistics[];
  readonly workMs: number;
  readonly idleMs: number;
  readonly approvals: number;
  readonly medianApprovalMs: number | undefined;
  readonly testFixLoops: number;
  readonly tokens: number;
}

/** How a session went, in numbers. */
export function statisticsOf(events: readonly AgentEvent[]): SessionStatistics {
  const ordered = inOrder(events);
  const loops = testFixLoops(ordered);
  let previousEndNs: bigint | undefined;
  const turns = turnsOf(ordered).map((turn): TurnStatistics => {
    const idleNs = previousEndNs === undefined ? 0n : turn.startNs - previousEndNs;
    previousEndNs = turn.endNs;
    return {
      ...{ prompt: turn.prompt, startNs: turn.startNs, durationMs: durationMs(turn) },
      ...{ tools: turn.toolCount, files: turn.files.length },
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
    workMs: sum((turn) => turn.durationMs ?? 0),
    idleMs: sum(({ idleBeforeMs }) => idleBeforeMs),
    approvals: latencies.length,
    medianApprovalMs: latencies[Math.floor((latencies.length - 1) / 2)],
    testFixLoops: sum((turn) => turn.testFixLoops),
    tokens: sum(({ tokens }) => tokens),
  };
}

/** By the id of a turn. */
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
